import type { IncomingMessage, ServerResponse } from "node:http";
import { Problem } from "@/lib/contract/problem";
import type { Platform } from "@/lib/server/platform/platform";

export function answerJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  type = "application/json",
): void {
  answerText(response, status, JSON.stringify(value), type);
}

/** The body stays a string: Node then sends it with the headers, in one system call instead of two. */
export function answerText(
  response: ServerResponse,
  status: number,
  text: string,
  type = "application/json",
): void {
  response.writeHead(status, {
    "content-type": type,
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
  });
  response.end(text);
}

/** A `Problem` is an answer; anything else is a bug, or a database that is away: logged once, answered bare. */
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
  if (!request.complete) endSoon(request, response);
  const problem = error instanceof Problem ? error : unexpected(platform, error);
  if (problem.status === 503 || problem.status === 429) response.setHeader("retry-after", "2");
  if (problem.status === 401)
    response.setHeader("www-authenticate", 'Basic realm="publish", Bearer realm="core"');
  answerJson(response, problem.status, problem.body(), "application/problem+json");
}

/** Milliseconds in which a client that is still sending can notice the refusal. */
const NOTICE_MS = 5_000;

/**
 * A body that is refused half-way is read on for a moment: a connection closed at once resets the client, which then
 * sees a broken pipe instead of the answer that says why.
 */
function endSoon(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader("connection", "close");
  request.resume();
  const timer = setTimeout(() => request.destroy(), NOTICE_MS);
  request.once("close", () => clearTimeout(timer));
}

function unexpected(platform: Platform, error: unknown): Problem {
  if (isDatabaseAway(error))
    return new Problem("UNAVAILABLE", "The database is away for a moment. Try again.");
  platform.log.error({ err: error }, "a gateway route broke");
  return new Problem("INTERNAL", "This is our fault, and it is in our log. Try again in a moment.");
}

const AWAY = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "57P01", "57P02", "57P03"]);

function isDatabaseAway(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return false;
  const code = "code" in cause ? cause.code : undefined;
  return (
    (typeof code === "string" && AWAY.has(code)) ||
    /connection (terminated|timeout)|timeout exceeded/i.test(cause.message)
  );
}
