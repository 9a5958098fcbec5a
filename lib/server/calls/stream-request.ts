/** One HTTP request to an app whose bodies pass through as they arrive. The limits are those of `kept-connections.ts`. */
import { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import type { AppFault } from "@/lib/contract/platform/issue-codes";
import { explainEncoding, type Failure } from "@/lib/domain/calls/explain-answer";
import { IDENTITY } from "@/lib/domain/calls/headers";
import { PAYLOAD_BYTES } from "./call-steps";
import { agent, KEPT_BODY_BYTES } from "./kept-connections";
import { explainError, toProblemCode } from "./send-request";

interface StreamedRequest {
  method: Dispatcher.HttpMethod;
  origin: string;
  /** With its query. Sent as it is: third parties sign it. */
  path: string;
  headers: Record<string, string>;
  body: AsyncIterable<Uint8Array> | null;
  deadlineMs: number;
  /** Aborted when the caller is gone. */
  gone: AbortSignal;
}

/** Why the caller gets no answer from the app. `fault` is null if the caller caused it. */
export interface RequestFailure {
  code: "APP_FAILED" | "APP_NOT_RUNNING" | "APP_TIMED_OUT" | "TOO_LARGE";
  failure: string;
  fault: AppFault | null;
}

export interface StreamedAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: AsyncIterable<Uint8Array>;
  /** Ends the request without reading the body. */
  drop: () => void;
  /** What an error of the body means. */
  explain: (error: unknown) => RequestFailure;
}

export const CALLER_LEFT = "The caller closed the connection before the response was complete.";

/** Returns the answer once its headers are there, or why there is none. */
export async function streamRequest(order: StreamedRequest): Promise<StreamedAnswer | RequestFailure> {
  const { method, origin, path, headers, deadlineMs, gone } = order;
  const deadline = AbortSignal.timeout(deadlineMs);
  const upload = order.body === null ? null : capBody(order.body);
  let hasHeaders = false;
  const explain = (error: unknown): RequestFailure => {
    if (upload?.state.tooLarge === true)
      return { code: "TOO_LARGE", failure: "The request body is larger than 1 MiB.", fault: null };
    if (gone.aborted) return { code: "APP_FAILED", failure: CALLER_LEFT, fault: null };
    return toRequestFailure(explainError(error, deadline.aborted, deadlineMs, hasHeaders));
  };
  try {
    // undici doesn't follow redirects.
    const response = await agent.request({
      origin,
      path,
      method,
      headers: { ...headers, ...IDENTITY },
      reset: upload !== null && !(Number(headers["content-length"]) <= KEPT_BODY_BYTES),
      body: upload === null ? null : Readable.from(upload.chunks, { objectMode: false }),
      signal: AbortSignal.any([deadline, gone]),
      headersTimeout: deadlineMs,
      bodyTimeout: deadlineMs,
    });
    hasHeaders = true;
    const drop = () => void response.body.on("error", () => undefined).destroy();
    const encoded = method === "HEAD" ? undefined : explainEncoding(response.statusCode, response.headers);
    if (encoded !== undefined) {
      drop();
      return toRequestFailure(encoded);
    }
    const { statusCode: status, headers: answered, body } = response;
    return { status, headers: answered, body, drop, explain };
  } catch (error) {
    return explain(error);
  }
}

function toRequestFailure(failed: Failure): RequestFailure {
  return { code: toProblemCode(failed.fault), ...failed };
}

/** The chunks of a body, up to 1 MiB in all; then an error. */
function capBody(body: AsyncIterable<Uint8Array>) {
  const state = { tooLarge: false };
  async function* read() {
    let bytes = 0;
    for await (const chunk of body) {
      bytes += chunk.byteLength;
      state.tooLarge = bytes > PAYLOAD_BYTES;
      if (state.tooLarge) throw new Error("the request body is too large");
      yield chunk;
    }
  }
  return { state, chunks: read() };
}

const MARK = Buffer.from("[state key]");

/**
 * The same bytes, with a mark in place of each state key, even where a key spans two chunks. Holds back only what may be the
 * beginning of the key.
 */
export async function* withoutKeyBytes(
  chunks: AsyncIterable<Uint8Array>,
  stateKey: string,
): AsyncGenerator<Uint8Array> {
  const key = Buffer.from(stateKey);
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    let rest = held.length === 0 ? Buffer.from(chunk) : Buffer.concat([held, chunk]);
    for (let at = rest.indexOf(key); at !== -1; at = rest.indexOf(key)) {
      yield Buffer.concat([rest.subarray(0, at), MARK]);
      rest = rest.subarray(at + key.length);
    }
    const open = startLength(rest, key);
    held = rest.subarray(rest.length - open);
    if (rest.length > open) yield rest.subarray(0, rest.length - open);
  }
  if (held.length > 0) yield held;
}

/** How many of the last bytes are the beginning of the key. */
function startLength(bytes: Buffer, key: Buffer): number {
  for (let length = Math.min(bytes.length, key.length - 1); length > 0; length -= 1) {
    if (bytes.subarray(bytes.length - length).equals(key.subarray(0, length))) return length;
  }
  return 0;
}
