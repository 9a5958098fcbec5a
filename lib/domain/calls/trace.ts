/**
 * W3C Trace Context (https://www.w3.org/TR/trace-context/): which trace a call belongs to. Ids that nobody gave follow from the
 * platform's own: the trace of a call is its attempt's id, that of an event the event's, and the span of a call is the random half of its
 * attempt's id. So most calls store nothing more, and every call has a trace.
 */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** Of the caller's span, 16 digits; null if nobody gave one. */
  parentId: string | null;
  isSampled: boolean;
  /** Of other tracing systems. Passed on as it was received. */
  state: string | null;
}

/** A later version may add fields at the end, and is read as this one. */
const TRACE_PARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const LONGEST_PARENT = 256;
/** As much as the standard demands that everybody passes on. */
const LONGEST_STATE = 512;
const MOST_MEMBERS = 32;
/** Tabs, spaces, and visible ASCII. */
const STATE_CHARACTERS = /^[\t\x20-\x7e]+$/;
const STATE_MEMBER =
  /^[ \t]*(?:(?:[a-z][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{1,256})?[ \t]*$/;

type Received = string | string[] | null | undefined;

/** What a request names; undefined if it names nothing that is valid. Without a valid `traceparent`, the `tracestate` doesn't count either. */
export function parseTrace(parent: Received, state?: Received): TraceContext | undefined {
  if (typeof parent !== "string" || parent.length > LONGEST_PARENT) return undefined;
  const found = TRACE_PARENT.exec(parent.trim());
  if (found === null) return undefined;
  const [, version = "", traceId = "", parentId = "", flags = "", rest] = found;
  if (version === "00" && rest !== undefined) return undefined;
  return { traceId, parentId, isSampled: (Number.parseInt(flags, 16) & 1) === 1, state: checkState(state) };
}

/** Several headers are one list. A list that is invalid or too long is dropped as a whole, as the standard allows. */
function checkState(received: Received): string | null {
  const state = Array.isArray(received) ? received.join(",") : (received ?? "");
  if (state === "" || state.length > LONGEST_STATE || !STATE_CHARACTERS.test(state)) return null;
  const members = state.split(",");
  const isValid = members.length <= MOST_MEMBERS && members.every((member) => STATE_MEMBER.test(member));
  return isValid ? state : null;
}

/** The span of an attempt: the second half of its UUIDv7, 62 random bits. */
export function spanIdOf(attemptId: string): string {
  return attemptId.slice(19, 23) + attemptId.slice(24);
}

/** The trace of what has no other: the digits of its id. */
export function traceIdOf(id: string): string {
  return id.replaceAll("-", "");
}

/** As the app gets it: our span is its parent. A trace that begins here is sampled, so that the app decides for itself. */
export function traceHeaders(attemptId: string, trace: TraceContext | undefined): Record<string, string> {
  const traceparent = `00-${trace?.traceId ?? traceIdOf(attemptId)}-${spanIdOf(attemptId)}-${trace?.isSampled === false ? "00" : "01"}`;
  return trace === undefined || trace.state === null
    ? { traceparent }
    : { traceparent, tracestate: trace.state };
}

/** As it is stored with an event, to be read by `parseTrace` again. Null if it has no parent: then the id of the event is its trace. */
export function formatParent(trace: TraceContext | undefined): string | null {
  if (trace === undefined || trace.parentId === null) return null;
  return `00-${trace.traceId}-${trace.parentId}-${trace.isSampled ? "01" : "00"}`;
}
