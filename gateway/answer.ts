import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Problem } from "@/lib/contract/platform/problem";
import { EVENT_STREAM_HEADERS, type ServerEvent, writeEvent } from "@/lib/server/accounts/live-list";
import type { Platform } from "@/lib/server/platform/platform";

export interface Exchange {
  platform: Platform;
  request: IncomingMessage;
  response: ServerResponse;
  /** Values of the pattern's `<…>` placeholders, in order. */
  parts: string[];
  query: URLSearchParams;
  /** The gateway got a signal to end. */
  isDraining: boolean;
}

export function answerJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  type = "application/json",
): void {
  answerText(response, status, JSON.stringify(value), type);
}

/** Keeps the body a string, because Node then sends it together with the headers in one system call. */
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
  if (isDatabaseUnavailable(error))
    return new Problem("UNAVAILABLE", "The database is temporarily unavailable. Try again in a moment.");
  platform.log.error({ err: error }, "a gateway route failed");
  return new Problem("INTERNAL", "An unexpected error occurred and was logged. Try again in a moment.");
}

const UNAVAILABLE_CODES = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "57P01", "57P02", "57P03"]);

function isDatabaseUnavailable(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return false;
  const code = "code" in cause ? cause.code : undefined;
  return (
    (typeof code === "string" && UNAVAILABLE_CODES.has(code)) ||
    /connection (terminated|timeout)|timeout exceeded/i.test(cause.message)
  );
}

/** Sends events until they end or the client is gone. A client that reads slowly slows them down. */
export async function answerEvents(
  response: ServerResponse,
  events: AsyncGenerator<ServerEvent>,
  signal: AbortSignal,
): Promise<void> {
  response.writeHead(200, EVENT_STREAM_HEADERS);
  // So that the client knows that it is connected before anything changes.
  response.flushHeaders();
  for await (const event of events) {
    if (!response.write(writeEvent(event))) await once(response, "drain", { signal });
  }
  response.end();
}

/** Aborted when the client is gone. */
export function untilClosed(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => controller.abort());
  return controller.signal;
}
