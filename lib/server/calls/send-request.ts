/** One HTTP request to an app. Apps are hostile: every direction has a cap, and the whole has one deadline. */
import { performance } from "node:perf_hooks";
import { Agent, errors, request } from "undici";

export const ANSWER_BYTES = 1024 * 1024;
export const HEADER_BYTES = 16 * 1024;

/**
 * No connection is kept: a call that must not be sent twice cannot meet a stale one, and nothing that an app says
 * after its answer can be taken for the answer of the next customer's call. On loopback a connection costs little.
 */
const agent = new Agent({
  pipelining: 0,
  maxHeaderSize: HEADER_BYTES,
  maxResponseSize: ANSWER_BYTES,
  connect: { timeout: 5_000 },
});

export interface AppRequest {
  method: "GET" | "POST";
  url: string;
  headers: Record<string, string>;
  body?: string;
  deadlineMs: number;
}

export interface AppAnswer {
  /** Null when the app gave none in time. */
  status: number | null;
  /** The answer's text; null when there was none, or it was not taken whole. */
  answer: string | null;
  contentType: string | null;
  retryAfter: string | null;
  durationMs: number;
  /** What went wrong between the platform and the app, in words; null when an answer came whole, of any status. */
  failure: string | null;
  timedOut: boolean;
}

export async function sendRequest(order: AppRequest): Promise<AppAnswer> {
  const began = performance.now();
  const answer = {
    status: null,
    answer: null,
    contentType: null,
    retryAfter: null,
    failure: null,
    timedOut: false,
  };
  const elapsed = () => Math.round(performance.now() - began);
  const signal = AbortSignal.timeout(order.deadlineMs);
  let head: Pick<AppAnswer, "status" | "contentType" | "retryAfter"> = answer;
  try {
    // undici follows no redirects by itself.
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
      contentType: only(response.headers["content-type"]),
      retryAfter: only(response.headers["retry-after"]),
    };
    const encoding = only(response.headers["content-encoding"]);
    if (encoding !== null && encoding.trim().toLowerCase() !== "identity") {
      response.body.on("error", () => undefined).destroy();
      // Never a part of it: what an app writes may be a secret, which is known by the whole alone.
      const named = encoding.length <= 40 ? ` (content-encoding: ${encoding})` : "";
      const failure = `It compressed its answer${named}; the platform asks for identity.`;
      return { ...answer, ...head, failure, durationMs: elapsed() };
    }
    return { ...answer, ...head, answer: await response.body.text(), durationMs: elapsed() };
  } catch (error) {
    return { ...answer, ...head, ...faultOf(error, signal, order.deadlineMs), durationMs: elapsed() };
  }
}

function faultOf(
  error: unknown,
  signal: AbortSignal,
  deadlineMs: number,
): Pick<AppAnswer, "failure" | "timedOut"> {
  const late =
    signal.aborted || error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError;
  if (late) return { failure: `It did not finish its answer within ${deadlineMs / 1000} s.`, timedOut: true };
  return { failure: faultInWords(error), timedOut: false };
}

function faultInWords(error: unknown): string {
  if (error instanceof errors.ResponseExceededMaxSizeError) return "Its answer is larger than 1 MiB.";
  if (error instanceof errors.HeadersOverflowError)
    return "The headers of its answer are larger than 16 KiB.";
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
  if (code === "HPE_HEADER_OVERFLOW") return "The headers of its answer are larger than 16 KiB.";
  if (code.startsWith("HPE_")) return "Its answer is not valid HTTP.";
  if (code === "ECONNREFUSED") return "It refused the connection: nothing listens on its port.";
  if (code === "ECONNRESET" || code === "UND_ERR_SOCKET")
    return "It closed the connection before its answer was complete.";
  if (code === "UND_ERR_CONNECT_TIMEOUT") return "It took no connection within 5 s.";
  return `The call could not be made (${code || "unknown fault"}).`;
}

function only(header: string | string[] | undefined): string | null {
  return (Array.isArray(header) ? header[0] : header) ?? null;
}
