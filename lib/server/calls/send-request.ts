/** One HTTP request to an app. Apps may be hostile: request and answer are capped, and the whole has one deadline. */
import { performance } from "node:perf_hooks";
import { Agent, request } from "undici";
import type { AppFault } from "@/lib/contract/app-fault";
import { explainCompression, explainError } from "./explain-failure";

const ANSWER_BYTES = 1024 * 1024;
export const HEADER_BYTES = 16 * 1024;

/**
 * Connections are not reused: a call that must not be sent twice never meets a stale one, and nothing that an app sends
 * after its answer can pass for the answer to another customer's call. On loopback, connecting is cheap.
 */
export const agent = new Agent({
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
  /** The same for machines. */
  fault: AppFault | null;
}

export async function sendRequest(order: AppRequest): Promise<AppAnswer> {
  const startedAt = performance.now();
  const answer = {
    status: null,
    answer: null,
    contentType: null,
    retryAfter: null,
    failure: null,
    fault: null,
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
    const { "content-encoding": content, "transfer-encoding": transfer } = response.headers;
    const compressed = explainCompression([firstValue(content), firstValue(transfer)]);
    if (compressed !== undefined) {
      response.body.on("error", () => undefined).destroy();
      return { ...answer, ...head, ...compressed, durationMs: elapsed() };
    }
    return { ...answer, ...head, answer: await response.body.text(), durationMs: elapsed() };
  } catch (error) {
    const failed = explainError(error, signal.aborted, order.deadlineMs, head.status !== null);
    return { ...answer, ...head, ...failed, durationMs: elapsed() };
  }
}

export function firstValue(header: string | string[] | undefined): string | null {
  return (Array.isArray(header) ? header[0] : header) ?? null;
}
