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
  startMs: number;
  endMs: number;
}

/** The request to the app. The app's own spans are below it, because `traceparent` names it. */
export function traceAttempt(traces: Traces, sent: Sent, ended: Ended): void {
  if (!traces.isOn) return;
  const { attemptId, installationId, kind, method, trace, spanParent } = sent;
  const { status, failure, fault, startMs, endMs } = ended;
  traces.record({
    name: NAMES[kind],
    kind: "client",
    ...inTrace(trace, attemptId),
    spanId: spanIdOf(attemptId),
    parentId: spanParent ?? trace?.parentId ?? null,
    startMs,
    endMs,
    attributes: {
      "http.request.method": method,
      ...(status === null ? {} : { "http.response.status_code": status }),
      ...(failure === null ? {} : { "error.type": fault ?? "caller" }),
      "app_hosting.call.id": attemptId,
      "app_hosting.call.kind": kind,
      "app_hosting.installation.id": installationId,
    },
    isError: failure !== null,
  });
}

/** What the platform did for a core's call, around the request to the app. */
export function traceCall(traces: Traces, { spanParent, ...sent }: Sent, ended: Ended): void {
  if (spanParent === undefined) return;
  const { attemptId, trace, kind } = sent;
  traces.record({
    name: "POST /r/<routeId>",
    kind: "server",
    ...inTrace(trace, attemptId),
    spanId: spanParent,
    parentId: trace?.parentId ?? null,
    startMs: ended.startMs,
    endMs: ended.endMs,
    attributes: { "app_hosting.call.id": attemptId, "app_hosting.call.kind": kind },
    isError: ended.failure !== null,
  });
}

export function traceEvent(
  traces: Traces,
  eventId: string,
  trace: TraceContext | undefined,
  startMs: number,
): void {
  if (!traces.isOn) return;
  traces.record({
    name: "POST /core/v1/events",
    kind: "server",
    ...inTrace(trace, eventId),
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
  traces: Traces,
  attemptId: string,
  trace: TraceContext | undefined,
  startMs: number,
): void {
  if (!traces.isOn) return;
  traces.record({
    name: "GET /state/<key>",
    kind: "server",
    ...inTrace(trace, attemptId),
    spanId: newSpanId(),
    parentId: trace?.parentId ?? spanIdOf(attemptId),
    startMs,
    endMs: performance.now(),
    attributes: { "app_hosting.call.id": attemptId },
    isError: false,
  });
}

function inTrace(trace: TraceContext | undefined, id: string) {
  const isOwn = trace === undefined || trace.parentId === null;
  return { traceId: trace?.traceId ?? traceIdOf(id), isSampled: isOwn ? null : trace.isSampled };
}
