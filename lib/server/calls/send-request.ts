/** One HTTP request to an app. Apps may be hostile: request and answer are capped, and the whole has one deadline. */
import { performance } from "node:perf_hooks";
import { Agent, errors, request } from "undici";

const ANSWER_BYTES = 1024 * 1024;
export const HEADER_BYTES = 16 * 1024;

/**
 * Connections are not reused: a call that must not be sent twice never meets a stale one, and nothing that an app sends
 * after its answer can pass for the answer to another customer's call. On loopback, connecting is cheap.
 */
const agent = new Agent({
  pipelining: 0,
  maxHeaderSize: HEADER_BYTES,
  maxResponseSize: ANSWER_BYTES,
  connect: { timeout: 5_000 },
});

interface AppRequest {
  method: "GET" | "POST";
  url: string;
  headers: Record<string, string>;
  body?: string;
  deadlineMs: number;
}

export interface AppAnswer {
  /** Null if the app didn't answer in time. */
  status: number | null;
  /** Null if there was none, or it was not received completely. */
  answer: string | null;
  contentType: string | null;
  retryAfter: string | null;
  durationMs: number;
  /** What went wrong between platform and app, for people; null if a complete answer of any status arrived. */
  failure: string | null;
  timedOut: boolean;
}

export async function sendRequest(order: AppRequest): Promise<AppAnswer> {
  const startedAt = performance.now();
  const answer = {
    status: null,
    answer: null,
    contentType: null,
    retryAfter: null,
    failure: null,
    timedOut: false,
  };
  const elapsed = () => Math.round(performance.now() - startedAt);
  const signal = AbortSignal.timeout(order.deadlineMs);
  let head: Pick<AppAnswer, "status" | "contentType" | "retryAfter"> = answer;
  try {
    // undici doesn't follow redirects.
    const response = await request(order.url, {
      dispatcher: agent,
      method: order.method,
      headers: { ...order.headers, "accept-encoding": "identity" },
      body: order.body,
      signal,
      headersTimeout: order.deadlineMs,
      bodyTimeout: order.deadlineMs,
    });
    head = {
      status: response.statusCode,
      contentType: firstValue(response.headers["content-type"]),
      retryAfter: firstValue(response.headers["retry-after"]),
    };
    const encoding = firstValue(response.headers["content-encoding"]);
    if (encoding !== null && encoding.trim().toLowerCase() !== "identity") {
      response.body.on("error", () => undefined).destroy();
      // All or nothing: part of a secret could not be recognized and redacted.
      const named = encoding.length <= 40 ? ` (content-encoding: ${encoding})` : "";
      const failure = `It compressed its answer${named}. Send it uncompressed, as accept-encoding: identity asks.`;
      return { ...answer, ...head, failure, durationMs: elapsed() };
    }
    return { ...answer, ...head, answer: await response.body.text(), durationMs: elapsed() };
  } catch (error) {
    return { ...answer, ...head, ...toFailure(error, signal, order.deadlineMs), durationMs: elapsed() };
  }
}

function toFailure(
  error: unknown,
  signal: AbortSignal,
  deadlineMs: number,
): Pick<AppAnswer, "failure" | "timedOut"> {
  const timedOut =
    signal.aborted || error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError;
  if (timedOut) return { failure: `It didn't finish its answer within ${deadlineMs / 1000} s.`, timedOut };
  return { failure: describeError(error), timedOut };
}

function describeError(error: unknown): string {
  if (error instanceof errors.ResponseExceededMaxSizeError) return "Its answer is larger than 1 MiB.";
  if (error instanceof errors.HeadersOverflowError)
    return "The headers of its answer are larger than 16 KiB.";
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
  if (code === "HPE_HEADER_OVERFLOW") return "The headers of its answer are larger than 16 KiB.";
  if (code.startsWith("HPE_")) return "Its answer is not valid HTTP.";
  if (code === "ECONNREFUSED") return "It refused the connection: nothing is listening on its port.";
  if (code === "ECONNRESET" || code === "UND_ERR_SOCKET")
    return "It closed the connection before its answer was complete.";
  if (code === "UND_ERR_CONNECT_TIMEOUT") return "It didn't accept a connection within 5 s.";
  return `The call could not be made (${code || "unknown error"}).`;
}

function firstValue(header: string | string[] | undefined): string | null {
  return (Array.isArray(header) ? header[0] : header) ?? null;
}
