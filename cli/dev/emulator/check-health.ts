/** `GET /health` as the platform asks for it, and what is wrong with an answer. */
import { KEY_HEADER } from "@/lib/contract/platform/text";
import type { ReasonCode } from "@/lib/contract/runtime/instance-reasons";
import { sendRequest } from "../app/send-request";
import type { DevHealth } from "../contract/app";
import { unknownStateKey } from "./state-api";

const DEADLINE_MS = 3_000;

export interface HealthCheck extends DevHealth {
  code: ReasonCode | null;
}

/** The key opens nothing, because a health check serves no customer. */
export async function checkHealth(port: number): Promise<HealthCheck> {
  const at = new Date().toISOString();
  const { status, failed, ms } = await sendRequest({
    method: "GET",
    path: "/health",
    headers: { [KEY_HEADER]: unknownStateKey() },
    deadlineMs: DEADLINE_MS,
    port,
  });
  if (status === 200 && failed === null) return { at, ok: true, ms, problem: null, code: null };
  const bad = (code: ReasonCode, problem: string): HealthCheck => ({ at, ok: false, ms, problem, code });
  if (failed?.fault === "app-timed-out")
    return bad("HEALTH_TIMED_OUT", `GET /health did not answer within ${DEADLINE_MS / 1000} s.`);
  if (failed?.fault === "app-connection-refused")
    return bad("PORT_NOT_BOUND", `GET /health got no response. ${failed.failure}`);
  if (failed !== null) return bad("HEALTH_NOT_200", `GET /health got no valid response. ${failed.failure}`);
  const redirect = status !== null && status >= 300 && status < 400;
  return bad(
    "HEALTH_NOT_200",
    redirect
      ? `GET /health returned ${status}, a redirect. It must return 200 itself.`
      : `GET /health returned ${status}. It must return exactly 200.`,
  );
}
