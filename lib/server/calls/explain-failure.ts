/** Explains what went wrong between the platform and an app. */
import { errors } from "undici";
import type { AppFault } from "@/lib/contract/app-fault";
import { explainTimeout, FAULT_SENTENCES, type Failure } from "@/lib/domain/explain-answer";

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
  if (error instanceof errors.ConnectTimeoutError)
    return { fault: "app-timed-out", failure: "It didn't accept a connection within 5 s." };
  const fault = classify(error);
  return { fault, failure: FAULT_SENTENCES[fault] };
}

function classify(error: unknown): keyof typeof FAULT_SENTENCES {
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
