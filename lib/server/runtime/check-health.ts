import { randomBytes } from "node:crypto";
import { KEY_HEADER } from "@/lib/contract/platform/text";
import {
  explainHealth,
  type FailedCheck,
  HEALTH_DEADLINE_MS,
  joinSentences,
} from "@/lib/domain/runtime/health";
import { sendRequest } from "../calls/send-request";

/** Undefined if `GET /health` answered exactly 200; otherwise what is wrong, for the publisher. */
export async function checkHealth(origin: string): Promise<string | undefined> {
  const problem = await findHealthProblem(origin);
  return problem && joinSentences(problem.reason, problem.failure);
}

export async function findHealthProblem(origin: string): Promise<FailedCheck | undefined> {
  const answer = await sendRequest({
    method: "GET",
    origin,
    path: "/health",
    headers: { [KEY_HEADER]: createDummyKey() },
    deadlineMs: HEALTH_DEADLINE_MS,
    isRead: false,
  });
  return explainHealth(answer);
}

/** Every request carries the header (contract, 4.1). A health check serves no customer, so this key opens nothing. */
function createDummyKey(): string {
  return `psk_${randomBytes(64).toString("base64url")}`;
}
