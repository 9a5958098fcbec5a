import type { IncomingMessage, ServerResponse } from "node:http";
import { Problem } from "@/lib/contract/platform/problem";
import { toStorageProblem } from "@/lib/server/images/incoming-folder";
import { StoreUnreachable } from "@/lib/server/images/registry-client";
import { databaseProblem, isDatabaseUnavailable } from "@/lib/server/platform/database/availability";
import type { Platform } from "@/lib/server/platform/platform";
import { readRest } from "@/lib/server/platform/requests/read-rest";
import type { WorkClass } from "@/lib/server/surface/api/routes/route";
import { REFUSALS } from "@/lib/server/surface/metrics/all-metrics";
import { answerJson, readTrace } from "@/lib/server/surface/api/routes/exchange";

/**
 * Responds with a `Problem`. Any other error is an unreachable database, a full disk or a bug, which is logged once and not described. A store
 * of images that fails is logged, too: its callers are told to contact the operator, who has only the log.
 */
export function answerError(
  platform: Platform,
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  work: WorkClass = "other",
): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  readRest(request, response);
  if (isStorageFailure(error))
    platform.log.error({ code: error.code, reason: error.detail }, "the store of images failed");
  const problem = error instanceof Problem ? error : toProblem(platform, error, request);
  if (problem.status >= 429) platform.metrics.add(REFUSALS, { work, code: problem.code });
  if (problem.status === 503 || problem.status === 429)
    response.setHeader("retry-after", String(problem.retryAfterSeconds ?? RETRY_AFTER_SECONDS));
  if (problem.status === 401)
    response.setHeader("www-authenticate", 'Basic realm="publish", Bearer realm="core"');
  if (problem.status === 405) response.setHeader("allow", problem.allowed.join(", "));
  answerJson(
    response,
    problem.status,
    problem.body(platform.environment.PLATFORM_WEB_URL),
    "application/problem+json",
  );
}

/** If no better value is known. */
const RETRY_AFTER_SECONDS = 2;

function isStorageFailure(error: unknown): error is Problem {
  return error instanceof StoreUnreachable || (error instanceof Problem && error.code === "STORAGE_FULL");
}

function toProblem(platform: Platform, error: unknown, request: IncomingMessage): Problem {
  if (isDatabaseUnavailable(error)) return databaseProblem();
  const storage = toStorageProblem(error);
  if (storage instanceof Problem) {
    platform.log.error({ err: error }, "the disk is full");
    return storage;
  }
  platform.log.error({ err: error, trace_id: readTrace(request)?.traceId }, "a gateway route failed");
  return new Problem("INTERNAL", "An unexpected error occurred and was logged. Try again in a moment.");
}
