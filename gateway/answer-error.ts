import type { IncomingMessage, ServerResponse } from "node:http";
import { Problem } from "@/lib/contract/platform/problem";
import { databaseProblem, isDatabaseUnavailable } from "@/lib/server/platform/database/availability";
import type { Platform } from "@/lib/server/platform/platform";
import { answerJson } from "@/lib/server/surface/api/routes/exchange";

/** Responds with a `Problem`. Any other error is an unreachable database or a bug, which is logged once and not described. */
export function answerError(
  platform: Platform,
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  if (!request.complete) readRest(request, response);
  const problem = error instanceof Problem ? error : toProblem(platform, error);
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

/** How long a client that is still sending gets to read the response. */
const NOTICE_MS = 5_000;
/** Reading the rest of a small body costs less than a new connection. */
const SMALL_BODY_BYTES = 64 * 1024;

/**
 * Keeps reading a rejected body for a moment. Closing the connection at once would reset it, and the client would see a
 * broken pipe instead of the response.
 */
function readRest(request: IncomingMessage, response: ServerResponse): void {
  const length = Number(request.headers["content-length"]);
  if (!(length <= SMALL_BODY_BYTES)) response.setHeader("connection", "close");
  request.resume();
  const timer = setTimeout(() => request.destroy(), NOTICE_MS);
  request.once("end", () => clearTimeout(timer)).once("close", () => clearTimeout(timer));
}

function toProblem(platform: Platform, error: unknown): Problem {
  if (isDatabaseUnavailable(error)) return databaseProblem();
  platform.log.error({ err: error }, "a gateway route failed");
  return new Problem("INTERNAL", "An unexpected error occurred and was logged. Try again in a moment.");
}
