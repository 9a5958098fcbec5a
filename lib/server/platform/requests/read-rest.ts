import type { IncomingMessage, ServerResponse } from "node:http";

/** How long a client that is still sending gets to read the response. */
const NOTICE_MS = 5_000;
/** Reading the rest of a small body costs less than a new connection. */
const SMALL_BODY_BYTES = 64 * 1024;

/**
 * Keeps reading a body that nobody needs any more for a moment. Closing the connection at once would reset it, and the client would
 * see a broken pipe instead of the response. Not reading it would keep the client from sending its next request.
 */
export function readRest(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete) return;
  const length = Number(request.headers["content-length"]);
  if (!(length <= SMALL_BODY_BYTES) && !response.headersSent) response.setHeader("connection", "close");
  request.resume();
  const timer = setTimeout(() => request.destroy(), NOTICE_MS);
  request.once("end", () => clearTimeout(timer)).once("close", () => clearTimeout(timer));
}
