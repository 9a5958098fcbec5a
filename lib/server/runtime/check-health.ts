import { randomBytes } from "node:crypto";
import { KEY_HEADER } from "@/lib/contract/platform/text";
import type { ReasonCode } from "@/lib/contract/runtime/instance-reasons";
import { sendRequest } from "../calls/send-request";

const HEALTH_DEADLINE_MS = 3_000;

export interface FailedCheck {
  code: ReasonCode;
  /** What is wrong, for the publisher. */
  reason: string;
  /** For a request that got no response: what went wrong between platform and app. */
  failure?: string;
}

/** Undefined if `GET /health` answered exactly 200; otherwise what is wrong, for the publisher. */
export async function checkHealth(origin: string): Promise<string | undefined> {
  const problem = await findHealthProblem(origin);
  return problem && joinSentences(problem.reason, problem.failure);
}

export function joinSentences(...sentences: (string | undefined)[]): string {
  return sentences.filter((sentence) => sentence !== undefined).join(" ");
}

export async function findHealthProblem(origin: string): Promise<FailedCheck | undefined> {
  const answer = await sendRequest({
    method: "GET",
    origin,
    path: "/health",
    headers: { [KEY_HEADER]: createDummyKey() },
    deadlineMs: HEALTH_DEADLINE_MS,
  });
  const { status, failure, fault } = answer;
  if (status === 200 && failure === null) return undefined;
  if (fault === "app-timed-out")
    return {
      code: "HEALTH_TIMED_OUT",
      reason: `GET /health did not answer within ${HEALTH_DEADLINE_MS / 1000} s.`,
    };
  if (status === null) {
    const isRefused = fault === "app-connection-refused" || fault === "app-unreachable";
    return {
      code: isRefused ? "PORT_NOT_BOUND" : "HEALTH_NOT_200",
      reason: "GET /health got no response.",
      failure: failure ?? undefined,
    };
  }
  return { code: "HEALTH_NOT_200", reason: explainStatus(status, failure) };
}

function explainStatus(status: number, failure: string | null): string {
  if (status >= 300 && status < 400)
    return `GET /health returned ${status}, a redirect. It must return 200 itself.`;
  if (status === 200)
    return `GET /health returned 200, but its response is not valid. ${failure ?? ""}`.trim();
  return `GET /health returned ${status}. It must return exactly 200.`;
}

/** Every request carries the header (contract, 4.1). A health check serves no customer, so this key opens nothing. */
function createDummyKey(): string {
  return `psk_${randomBytes(64).toString("base64url")}`;
}
