/** One HTTP request to an app whose bodies pass through as they arrive. The limits are those of `send-request.ts`. */
import { Readable } from "node:stream";
import { request, type Dispatcher } from "undici";
import type { AppFault } from "@/lib/contract/app-fault";
import type { Failure } from "@/lib/domain/explain-answer";
import { PAYLOAD_BYTES } from "./call-steps";
import { explainCompression, explainError, toProblemCode } from "./explain-failure";
import { agent, firstValue } from "./send-request";

interface StreamedRequest {
  method: Dispatcher.HttpMethod;
  url: string;
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
  const { method, url, headers, deadlineMs, gone } = order;
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
    const response = await request(url, {
      dispatcher: agent,
      method,
      headers: { ...headers, "accept-encoding": "identity" },
      body: upload === null ? null : Readable.from(upload.chunks, { objectMode: false }),
      signal: AbortSignal.any([deadline, gone]),
      headersTimeout: deadlineMs,
      bodyTimeout: deadlineMs,
    });
    hasHeaders = true;
    const drop = () => void response.body.on("error", () => undefined).destroy();
    const { "content-encoding": content, "transfer-encoding": transfer } = response.headers;
    const compressed = explainCompression([firstValue(content), firstValue(transfer)]);
    if (compressed !== undefined) {
      drop();
      return toRequestFailure(compressed);
    }
    const { statusCode: status, headers: answered, body } = response;
    return { status, headers: answered, body, drop, explain };
  } catch (error) {
    return explain(error);
  }
}

export function toRequestFailure(failed: Failure): RequestFailure {
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
