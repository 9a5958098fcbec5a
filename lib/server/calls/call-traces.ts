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

interface Sent {
  attemptId: string;
  installationId: string;
  kind: RouteKind;
  method: string;
  trace?: TraceContext;
  /** The span of the platform that it is part of. */
  spanParent?: string;
}

interface Ended {
  status: number | null;
  failure: string | null;
  fault: AppFault | null;
  endedMs: number;
}

/** The request to the app. The app's own spans are below it, because `traceparent` names it. */
export function traceAttempt({ sink }: Traces, sent: Sent, ended: Ended, startMs: number): void {
  if (sink === undefined) return;
  const { attemptId, installationId, kind, method, trace, spanParent } = sent;
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
  sink.record({
    name: NAMES[kind],
    kind: "client",
    traceId,
    spanId: spanIdOf(attemptId),
    parentId: spanParent ?? trace?.parentId ?? null,
    startMs,
    endMs: endedMs,
    attributes,
    isError: failure !== null,
  });
}

/** What the platform did for a core's call, around the request to the app. */
export function traceCall({ sink }: Traces, sent: Sent, failure: string | null, startMs: number): void {
  const { attemptId, trace, kind, spanParent } = sent;
  if (sink === undefined || spanParent === undefined) return;
  const traceId = trace?.traceId ?? traceIdOf(attemptId);
  if (!sink.samples(traceId, decisionOf(trace))) return;
  sink.record({
    name: "POST /r/<routeId>",
    kind: "server",
    traceId,
    spanId: spanParent,
    parentId: trace?.parentId ?? null,
    startMs,
    endMs: performance.now(),
    attributes: { "app_hosting.call.id": attemptId, "app_hosting.call.kind": kind },
    isError: failure !== null,
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
