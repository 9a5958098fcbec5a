/**
 * Connects to apps, and gives the connections what undici lacks (RFC 9110, 9112):
 *
 * - **An app may answer before it has read the request**, and close: `failed-writes.ts`.
 * - **A connection whose request was not written to its end is not used again.** The app may never read the rest.
 * - **Interim responses pass by.** undici ends a connection on a `100 Continue` that it did not ask for.
 *
 * All of it is set up once for each connection. A request costs a comparison for each write, and one byte of its answer.
 */
import type { Socket } from "node:net";
import { buildConnector, errors } from "undici";
import { surviveFailedWrites } from "@/lib/domain/calls/failed-writes";
import { skipInterim } from "@/lib/domain/calls/interim";

const connectSocket = buildConnector({ timeout: 5_000 });

/** What is ending a connection right now. Set before undici's listener is called, and cleared after it. */
let reset: Error | undefined;

/** While undici handles the end of a connection: whether that was a reset, so that an answer without a length is not complete. */
export function findReset(): Error | undefined {
  return reset;
}

export const connectApp: buildConnector.connector = (target, done) =>
  connectSocket(target, (...result) => {
    const [error, socket] = result;
    if (error !== null) return done(...result);
    const writing = keepReading(socket);
    socket.on("error", (error) => (reset = isReset(error) ? error : undefined));
    socket.on("end", () => (reset = writing.failed));
    done(...result);
    // undici listens as soon as its promise of a connection is kept.
    setImmediate(() => {
      reset = undefined;
      socket.on("error", () => (reset = undefined));
      socket.on("end", () => (reset = undefined));
    });
  });

export function isReset(error: Error): boolean {
  return "code" in error && (error.code === "ECONNRESET" || error.code === "EPIPE");
}

/** Returns what made writing fail, if something did. */
function keepReading(socket: Socket): { failed?: Error } {
  /** What arrives next: the beginning of an answer, the rest of one, or nothing, because none is asked for. */
  let phase: "start" | "answer" | "idle" = "start";
  let held: Buffer | undefined;
  const [push, unref] = [socket.push.bind(socket), socket.unref.bind(socket)];
  const writing = surviveFailedWrites(socket, () => {
    if (phase === "idle") phase = "start";
  });

  // undici calls this when a connection has become idle.
  socket.unref = () => {
    phase = "idle";
    if (socket.writableLength > 0 || writing.failed !== undefined)
      socket.destroy(new errors.InformationalError("the app did not read the whole request"));
    return unref();
  };

  socket.push = (chunk: Buffer | null, encoding) => {
    if (phase !== "start") return push(chunk, encoding);
    if (chunk === null) {
      if (held !== undefined) push(held);
      return push(null);
    }
    const { rest, isFinal } = skipInterim(held === undefined ? chunk : Buffer.concat([held, chunk]));
    held = isFinal ? undefined : rest;
    if (!isFinal) return true;
    phase = "answer";
    return push(rest, encoding);
  };
  return writing;
}
