/** One HTTP request to an app. Apps may be hostile: request and answer are capped, and the whole has one deadline. */
import { performance } from "node:perf_hooks";
import { type Dispatcher, errors } from "undici";
import type { AppFault } from "@/lib/contract/platform/issue-codes";
import { IDENTITY } from "@/lib/domain/calls/headers";
import {
  explainEncoding,
  explainTimeout,
  type Failure,
  explainMalformed,
  FAULT_SENTENCES,
  UNASKED_UPGRADE,
  WITHOUT_BODY,
} from "@/lib/domain/calls/explain-answer";
import { isSuccess } from "@/lib/domain/calls/backoff";
import { describeInvalidUtf8, findInvalidUtf8 } from "@/lib/domain/platform/utf8";
import { agent, KEPT_BODY_BYTES } from "./kept-connections";

interface AppRequest {
  method: "GET" | "POST";
  origin: string;
  /** With its query. */
  path: string;
  headers: Record<string, string>;
  body?: string;
  deadlineMs: number;
  /**
   * Whether somebody reads the answer. If nobody does, as of a webhook, its status is the whole result: a compressed, damaged, endless or
   * unfinished body makes no failure of an acknowledgement.
   */
  isRead?: boolean;
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

/** Ends requests whose result is known. Made once: creating an error costs more than sending a request. */
const ENOUGH = new Error("the rest of this answer is not needed");

type Head = Pick<AppAnswer, "status" | "contentType" | "retryAfter">;
const NO_HEAD: Head = { status: null, contentType: null, retryAfter: null };

/** Collects the answer without its own streams, promises and abort signals, because this runs for every call to an app. */
export function sendRequest({
  deadlineMs,
  isRead = true,
  headers,
  ...order
}: AppRequest): Promise<AppAnswer> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    let head = NO_HEAD;
    const chunks: Buffer[] = [];
    let request: Dispatcher.DispatchController | undefined;
    let isSettled = false;

    const settle = (answer: string | null, failed?: Failure) => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(deadline);
      const { fault = null, failure = null } = failed ?? {};
      resolve({ ...head, answer, fault, failure, durationMs: Math.round(performance.now() - startedAt) });
    };
    const fail = (error: unknown, isLate = false) => {
      const { status } = head;
      if (status !== null && (!isRead || WITHOUT_BODY.has(status)))
        return settle(isRead ? "" : toText(chunks));
      // Its status says what went wrong. A page about it that is cut or too large is not the cause.
      if (status !== null && !isSuccess(status)) return settle(null);
      settle(null, explainError(error, isLate, deadlineMs, status !== null));
    };
    const deadline = setTimeout(() => {
      fail(ENOUGH, true);
      request?.abort(ENOUGH);
    }, deadlineMs);

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (controller) => {
        request = controller;
        // The deadline passed while it waited for a connection.
        if (isSettled) controller.abort(ENOUGH);
      },
      // undici doesn't follow redirects.
      onResponseStart: (controller, status, answered) => {
        if (status < 200) return;
        const { "content-type": type, "retry-after": after } = answered;
        head = { status, contentType: firstValue(type), retryAfter: firstValue(after) };
        // It has no body, whatever its headers say. The parser knows that of 204 and 304 only.
        if (status === 205 && answered["content-length"] !== "0") {
          settle("");
          return controller.abort(ENOUGH);
        }
        const encoded = explainEncoding(status, answered);
        if (encoded === undefined) return;
        if (!isRead) settle("");
        else settle(null, isSuccess(status) ? encoded : undefined);
        controller.abort(ENOUGH);
      },
      onResponseData: (_controller, chunk) => void chunks.push(chunk),
      onResponseEnd: () => {
        const bytes = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
        const broken = isRead && isSuccess(head.status) ? explainBytes(bytes ?? NO_BYTES) : undefined;
        if (broken === undefined) settle(toText(chunks));
        else settle(null, broken);
      },
      onResponseError: (_controller, error) => fail(error),
    };
    try {
      const reset = order.body !== undefined && order.body.length > KEPT_BODY_BYTES;
      agent.dispatch({ ...order, reset, headers: { ...headers, ...IDENTITY } }, handler);
    } catch (error) {
      fail(error);
    }
  });
}

const NO_BYTES = Buffer.alloc(0);

/** An answer is passed on as text. Text that is not the app's must not look like it. */
function explainBytes(bytes: Buffer): Failure | undefined {
  const at = findInvalidUtf8(bytes);
  if (at === undefined) return undefined;
  return { fault: "app-response-not-utf8", failure: describeInvalidUtf8("Its response", bytes, at) };
}

/** With a byte order mark, if it begins with one. */
function toText(chunks: readonly Buffer[]): string {
  const [first] = chunks;
  return (chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks)).toString("utf8");
}

function firstValue(header: string | string[] | undefined): string | null {
  return (Array.isArray(header) ? header[0] : header) ?? null;
}

/** The refusal for the caller: whose fault it was, and whether trying again may help. */
export function toProblemCode(fault: AppFault): "APP_FAILED" | "APP_NOT_RUNNING" | "APP_TIMED_OUT" {
  if (fault === "app-timed-out") return "APP_TIMED_OUT";
  return fault === "app-not-running" ? "APP_NOT_RUNNING" : "APP_FAILED";
}

/** Explains an error that `request` threw. @param hasHeaders whether the answer's headers arrived before it */
export function explainError(
  error: unknown,
  deadlinePassed: boolean,
  deadlineMs: number,
  hasHeaders: boolean,
): Failure {
  if (
    deadlinePassed ||
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError
  )
    return { fault: "app-timed-out", failure: explainTimeout(deadlineMs / 1000, hasHeaders) };
  // It did not get the request. The network of a container that ended is gone, so that nothing refuses the connection.
  if (error instanceof errors.ConnectTimeoutError)
    return { fault: "app-unreachable", failure: "It didn't accept a connection within 5 s." };
  const fault = classify(error, hasHeaders);
  return {
    fault,
    failure: fault === "app-response-malformed" ? describeMalformed(error) : FAULT_SENTENCES[fault],
  };
}

function describeMalformed(error: unknown): string {
  // With an `upgrade` header, and without one.
  if (error instanceof Error && /^bad upgrade$|assert\(upgrade\)/.test(error.message)) return UNASKED_UPGRADE;
  if (!(error instanceof errors.HTTPParserError) || !("data" in error)) return explainMalformed();
  return explainMalformed(typeof error.data === "string" ? error.data : "");
}

function classify(error: unknown, hasHeaders: boolean): keyof typeof FAULT_SENTENCES {
  if (error instanceof errors.ResponseExceededMaxSizeError) return "app-response-too-large";
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
  if (error instanceof errors.HeadersOverflowError || code === "HPE_HEADER_OVERFLOW")
    return "app-response-headers-too-large";
  if (code === "ECONNREFUSED") return "app-connection-refused";
  // undici closes the connection itself after an unexpected 1xx.
  if (error instanceof errors.SocketError && error.message !== "other side closed")
    return "app-response-malformed";
  if (
    error instanceof errors.SocketError ||
    code === "ECONNRESET" ||
    code === "EPIPE" ||
    (hasHeaders && isCut(error))
  )
    return "app-response-incomplete";
  if (UNREACHABLE.has(code)) return "app-unreachable";
  // The request is ours and is valid. Whatever else the client rejects, down to a failed assertion, is the answer.
  return "app-response-malformed";
}

/** How undici reports a reset after headers that announced it as the end. */
function isCut(error: unknown): boolean {
  if (error instanceof errors.ResponseContentLengthMismatchError) return true;
  return error instanceof errors.HTTPParserError && error.message.includes("Invalid EOF state");
}

const UNREACHABLE = new Set(["EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL", "ENOTFOUND", "ETIMEDOUT"]);
