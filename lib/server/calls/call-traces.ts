/** The spans of calls, events and state reads. All of them are named here, and what they say. */
import type { RouteKind } from "@/lib/contract/catalog/installation-states";
import type { AppFault } from "@/lib/contract/platform/issue-codes";
import { spanIdOf, type TraceContext, traceIdOf } from "@/lib/domain/calls/trace";
import { newSpanId, type Traces } from "../platform/traces";

const NAMES: Record<RouteKind, string> = {
  autofill: "call autofill",
  rater: "call rater",
  webhook: "deliver event",
  lifecycle: "call hook",
  endpoint: "call endpoint",
};

const NONE = {};

interface Sent {
  attemptId: string;
  installationId: string;
  kind: RouteKind;
  method: string;
  trace?: TraceContext;
  /** When a core's request arrived, on the clock of `performance.now()`. Undefined for what the platform sends by itself. */
  receivedMs?: number;
}

interface Ended {
  status: number | null;
  failure: string | null;
  fault: AppFault | null;
  endedMs: number;
}

/**
 * The request to the app, and for a core's call the span around it, with all that the platform did. The app's own spans are below the
 * request, because `traceparent` names it.
 */
export function traceAttempt({ sink }: Traces, sent: Sent, ended: Ended, startMs: number): void {
  if (sink === undefined) return;
  const { attemptId, installationId, kind, method, trace, receivedMs } = sent;
  const traceId = trace?.traceId ?? traceIdOf(attemptId);
  if (!sink.samples(traceId, decisionOf(trace))) return;
  const { status, failure, fault, endedMs } = ended;
  const attributes: Record<string, string | number> = {
    "http.request.method": method,
    "app_hosting.call.id": attemptId,
    "app_hosting.call.kind": kind,
    "app_hosting.installation.id": installationId,
  };
  if (status !== null) attributes["http.response.status_code"] = status;
  if (failure !== null) attributes["error.type"] = fault ?? "caller";
  const isError = failure !== null;
  const callerId = trace?.parentId ?? null;
  const aroundId = receivedMs === undefined ? undefined : newSpanId();
  sink.record({
    name: NAMES[kind],
    kind: "client",
    traceId,
    spanId: spanIdOf(attemptId),
    parentId: aroundId ?? callerId,
    startMs,
    endMs: endedMs,
    attributes,
    isError,
  });
  if (receivedMs === undefined || aroundId === undefined) return;
  sink.record({
    name: "POST /r/<routeId>",
    kind: "server",
    traceId,
    spanId: aroundId,
    parentId: callerId,
    startMs: receivedMs,
    endMs: endedMs,
    attributes: NONE,
    isError,
  });
}

export function traceEvent(
  { sink }: Traces,
  eventId: string,
  trace: TraceContext | undefined,
  startMs: number,
): void {
  if (sink === undefined) return;
  const traceId = trace?.traceId ?? traceIdOf(eventId);
  if (!sink.samples(traceId, decisionOf(trace))) return;
  sink.record({
    name: "POST /core/v1/events",
    kind: "server",
    traceId,
    spanId: newSpanId(),
    parentId: trace?.parentId ?? null,
    startMs,
    endMs: performance.now(),
    attributes: { "app_hosting.event.id": eventId },
    isError: false,
  });
}

/** @param trace that the app named; without one, the read is below the call that its key is of */
export function traceStateRead(
  { sink }: Traces,
  attemptId: string,
  trace: TraceContext | undefined,
  startMs: number,
): void {
  if (sink === undefined) return;
  const traceId = trace?.traceId ?? traceIdOf(attemptId);
  if (!sink.samples(traceId, decisionOf(trace))) return;
  sink.record({
    name: "GET /state/<key>",
    kind: "server",
    traceId,
    spanId: newSpanId(),
    parentId: trace?.parentId ?? spanIdOf(attemptId),
    startMs,
    endMs: performance.now(),
    attributes: { "app_hosting.call.id": attemptId },
    isError: false,
  });
}

/** The caller's decision; null if the trace began here. */
function decisionOf(trace: TraceContext | undefined): boolean | null {
  return trace === undefined || trace.parentId === null ? null : trace.isSampled;
}
