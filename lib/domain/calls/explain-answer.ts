/** What was wrong with an app's answer, in the same words wherever the app runs. */
import type { ZodType } from "zod";
import { autofillAnswer, raterAnswer } from "@/lib/contract/calls/app-answer";
import type { RouteKind } from "@/lib/contract/catalog/installation-states";
import type { AppFault } from "@/lib/contract/platform/issue-codes";
import { describeIssue, type Issue, parsePayload, pointerTo, Problem } from "@/lib/contract/platform/problem";

export interface Failure {
  fault: AppFault;
  /** For people. "It" is the app. */
  failure: string;
  /** Where an answer is not as documented. Names members of the documentation only, never what the app sent. */
  issues?: Issue[];
}

/** What happened to a request that got no complete answer. */
export const FAULT_SENTENCES = {
  "app-connection-refused": "It refused the connection: nothing is listening on its port.",
  "app-unreachable": "It could not be reached.",
  "app-response-malformed": "Its response is not valid HTTP.",
  "app-response-incomplete":
    "It closed the connection before its response was complete. If it crashed, its log shows why.",
  "app-response-headers-too-large": "Its response headers are larger than 16 KiB.",
  "app-response-too-large": "Its response is larger than 1 MiB.",
} as const satisfies Partial<Record<AppFault, string>>;

/** What else than HTTP/1.1 an app spoke. @param start the first characters that the parser refused, if it names them */
export function explainMalformed(start = ""): string {
  if (start.startsWith("\x15\x03"))
    return "It answered with TLS. The platform calls apps with plain HTTP: turn off TLS on the app's port.";
  if (/^\0\0[^]\x04/.test(start))
    return "It answered with HTTP/2. The platform calls apps with HTTP/1.1: turn it on at the app's port.";
  return FAULT_SENTENCES["app-response-malformed"];
}

export const UNASKED_UPGRADE =
  "It switched to another protocol (status 101), which the platform did not ask for. The platform calls apps with HTTP/1.1.";

export function explainTimeout(seconds: number, hasHeaders: boolean): string {
  return hasHeaders
    ? `It sent its response headers, but not the whole body within ${seconds} s.`
    : `It didn't send its response headers within ${seconds} s.`;
}

export function explainStatus(status: number | null): Failure | undefined {
  if (status === null || (status >= 200 && status < 300)) return undefined;
  const redirect = status >= 300 && status < 400 ? ", a redirect. The platform doesn't follow redirects" : "";
  return { fault: "app-response-status", failure: `It returned ${status}${redirect}.` };
}

const COMPRESSIONS = /^(br|compress|deflate|gzip|x-gzip|zstd)$/i;
const UNCOMPRESSED = /^(?:identity|chunked)?$/i;

/** By definition (RFC 9110), whatever their headers say of a body. */
export const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** Refuses an encoded body, all or nothing: part of a secret could not be recognized and redacted. */
export function explainEncoding(
  status: number,
  {
    "content-encoding": content,
    "transfer-encoding": transfer,
  }: Readonly<Record<string, string | string[] | undefined>>,
): Failure | undefined {
  if (content === undefined && (transfer === undefined || transfer === "chunked")) return undefined;
  if (WITHOUT_BODY.has(status)) return undefined;
  const [inContent, inTransfer] = [listEncodings(content), listEncodings(transfer)];
  const [encoding] = [...inContent, ...inTransfer];
  if (encoding === undefined) return undefined;
  // Reasons quote known values only, because an app may put a secret into its headers.
  const compression = [...inContent, ...inTransfer].find((each) => COMPRESSIONS.test(each));
  const failure =
    compression === undefined
      ? `Its ${inContent.length > 0 ? "content-encoding" : "transfer-encoding"} header names an encoding that the platform doesn't know. Remove the header: a character set belongs in content-type.`
      : `It compressed its response (${compression}). The request asked for an uncompressed response (accept-encoding: identity).`;
  return { fault: "app-response-compressed", failure };
}

/** The encodings that change bytes, of all headers of a name. */
function listEncodings(header: string | string[] | undefined): string[] {
  return [header ?? []]
    .flat()
    .flatMap((each) => each.split(","))
    .map((each) => each.trim())
    .filter((each) => !UNCOMPRESSED.test(each));
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
  const value = parsePayload(answer ?? "");
  if (value === undefined)
    return { fault: "app-response-not-json", failure: "Its response is not valid JSON." };
  const parsed = shape.safeParse(value, { error: describeIssue });
  if (parsed.success) return undefined;
  const fault = "app-response-invalid" as const;
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

/** Everything in the recorded answer of a failed call that is not as documented; if that isn't known, its failure. */
export function listAnswerIssues(call: {
  kind: RouteKind;
  fault: AppFault | null;
  failure: string | null;
  answer: string | null;
}): string[] {
  const { kind, fault, failure, answer } = call;
  const issues = fault === "app-response-invalid" ? (explainAnswer(kind, answer)?.issues ?? []) : [];
  if (issues.length > 0) return issues.map(({ pointer, message }) => `${pointer || "/"}: ${message}`);
  return failure === null ? [] : [failure];
}

/** The same for a malformed, foreign, expired or revoked key, so that an answer tells nothing about keys. */
export function unknownKey(): Problem {
  return new Problem(
    "NOT_FOUND",
    "This key has no state. Use the x-PLATFORM-key of the current request, and only while you handle that request.",
  );
}
