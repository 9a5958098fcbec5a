/** Explains what went wrong between the platform and an app. */
import { errors } from "undici";
import type { ZodType } from "zod";
import { autofillAnswer, raterAnswer } from "@/lib/contract/app-answer";
import type { AppFault } from "@/lib/contract/app-fault";
import type { RouteKind } from "@/lib/contract/installation-states";
import { describeIssue, parseJson } from "@/lib/contract/parse-json";
import { pointerTo } from "@/lib/contract/pointer";
import type { Issue } from "@/lib/contract/problem";

export interface Failure {
  fault: AppFault;
  /** For people. "It" is the app. */
  failure: string;
  /** Where an answer is not as documented. Names members of the documentation only, never what the app sent. */
  issues?: Issue[];
}

/** The refusal for the caller: whose fault it was, and whether trying again may help. */
export function toProblemCode(fault: AppFault): "APP_FAILED" | "APP_NOT_RUNNING" | "APP_TIMED_OUT" {
  if (fault === "app-timed-out") return "APP_TIMED_OUT";
  return fault === "app-not-running" ? "APP_NOT_RUNNING" : "APP_FAILED";
}

const SENTENCES = {
  "app-connection-refused": "It refused the connection: nothing is listening on its port.",
  "app-unreachable": "It could not be reached.",
  "app-response-malformed": "Its response is not valid HTTP.",
  "app-response-incomplete":
    "It closed the connection before its response was complete. If it crashed, its log shows why.",
  "app-response-headers-too-large": "Its response headers are larger than 16 KiB.",
  "app-response-too-large": "Its response is larger than 1 MiB.",
} as const satisfies Partial<Record<AppFault, string>>;

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
  if (error instanceof errors.ConnectTimeoutError)
    return { fault: "app-timed-out", failure: "It didn't accept a connection within 5 s." };
  const fault = classify(error);
  return { fault, failure: SENTENCES[fault] };
}

function explainTimeout(seconds: number, hasHeaders: boolean): string {
  return hasHeaders
    ? `It sent its response headers, but not the whole body within ${seconds} s.`
    : `It didn't send its response headers within ${seconds} s.`;
}

function classify(error: unknown): keyof typeof SENTENCES {
  if (error instanceof errors.ResponseExceededMaxSizeError) return "app-response-too-large";
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
  if (error instanceof errors.HeadersOverflowError || code === "HPE_HEADER_OVERFLOW")
    return "app-response-headers-too-large";
  if (code === "ECONNREFUSED") return "app-connection-refused";
  // undici closes the connection itself after a 1xx that it did not ask for.
  if (error instanceof errors.SocketError && error.message !== "other side closed")
    return "app-response-malformed";
  if (error instanceof errors.SocketError || code === "ECONNRESET" || code === "EPIPE")
    return "app-response-incomplete";
  if (UNREACHABLE.has(code)) return "app-unreachable";
  // The request is ours and is valid. Whatever else the client rejects, down to a failed assertion, is the answer.
  return "app-response-malformed";
}

const UNREACHABLE = new Set(["EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL", "ENOTFOUND", "ETIMEDOUT"]);

const COMPRESSIONS = /^(br|compress|deflate|gzip|x-gzip|zstd)$/i;

/** All or nothing: part of a secret could not be recognized and redacted. */
export function explainCompression(encodings: readonly (string | null)[]): Failure | undefined {
  const encoding = encodings.find((each) => each !== null && !UNCOMPRESSED.test(each.trim()));
  if (encoding === undefined || encoding === null) return undefined;
  // Reasons quote known values only, because an app may put a secret into its headers.
  const named = COMPRESSIONS.test(encoding.trim()) ? ` (${encoding.trim()})` : "";
  return {
    fault: "app-response-compressed",
    failure: `It compressed its response${named}. The request asked for an uncompressed response (accept-encoding: identity).`,
  };
}

const UNCOMPRESSED = /^(?:identity|chunked)?$/i;

export function explainStatus(status: number | null): Failure | undefined {
  if (status === null || (status >= 200 && status < 300)) return undefined;
  const redirect = status >= 300 && status < 400 ? ", a redirect. The platform doesn't follow redirects" : "";
  return { fault: "app-response-status", failure: `It returned ${status}${redirect}.` };
}

const ANSWERS: Partial<Record<RouteKind, ZodType>> = { autofill: autofillAnswer, rater: raterAnswer };

/** Nobody reads more, and a hostile app could cause any number of them. */
const MOST_ISSUES = 20;

/** Whether a complete answer is what a call of this kind documents. */
export function explainAnswer(kind: RouteKind, answer: string | null): Failure | undefined {
  const shape = ANSWERS[kind];
  return shape === undefined ? undefined : explainShape(shape, answer);
}

export function explainShape(shape: ZodType, answer: string | null): Failure | undefined {
  const value = parseJson(answer ?? "");
  if (value === undefined)
    return { fault: "app-response-not-json", failure: "Its response is not valid JSON." };
  const parsed = shape.safeParse(value, { error: describeIssue });
  if (parsed.success) return undefined;
  const fault = "app-response-invalid";
  const issues = parsed.error.issues
    .slice(0, MOST_ISSUES)
    .map(({ path, message }) => ({ code: fault, pointer: pointerTo(...path), message }));
  const [first] = issues;
  const where =
    first === undefined || first.pointer === ""
      ? "It must be a JSON object."
      : `${first.pointer}: ${first.message}`;
  return { fault, failure: `Its response is not valid. ${where}`, issues };
}
