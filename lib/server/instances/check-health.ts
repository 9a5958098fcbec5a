import { randomBytes } from "node:crypto";
import { KEY_HEADER } from "@/lib/contract/names";
import { sendRequest } from "../calls/send-request";

export const HEALTH_DEADLINE_MS = 3_000;

/** Undefined when `GET /health` answered 200, exactly; otherwise what is wrong, in words for a publisher. */
export async function healthFault(origin: string): Promise<string | undefined> {
  const answer = await sendRequest({
    method: "GET",
    url: `${origin}/health`,
    headers: { [KEY_HEADER]: keyThatOpensNothing() },
    deadlineMs: HEALTH_DEADLINE_MS,
  });
  const { status, failure, timedOut } = answer;
  if (status === 200 && failure === null) return undefined;
  if (timedOut) return `GET /health did not answer within ${HEALTH_DEADLINE_MS / 1000} s.`;
  if (status === null) return `GET /health got no answer. ${failure ?? ""}`.trim();
  if (status >= 300 && status < 400)
    return `GET /health answered ${status}, a redirect. Answer 200 at /health itself.`;
  if (status === 200)
    return `GET /health answered 200, but not as a health answer should. ${failure ?? ""}`.trim();
  return `GET /health answered ${status}. It must answer 200, exactly.`;
}

/** Each request carries the header (contract, 4.1); a health check serves no customer, so this key never opens. */
function keyThatOpensNothing(): string {
  return `psk_${randomBytes(64).toString("base64url")}`;
}
