/** What is counted of calls, deliveries and state reads. */
import { DELIVERY_STATES, ROUTE_KINDS, type RouteKind } from "@/lib/contract/catalog/installation-states";
import { APP_FAULTS, type AppFault } from "@/lib/contract/platform/issue-codes";
import type { Metric, Metrics } from "../platform/metrics";

const OK = "ok";
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

const CALLS: Metric<"kind" | "outcome"> = {
  name: "platform_calls_total",
  type: "counter",
  help: "Finished calls to apps; outcome is ok or the fault",
  labels: { kind: ROUTE_KINDS, outcome: [OK, ...APP_FAULTS, "caller"] },
};

const CALL_SECONDS: Metric<"kind"> = {
  name: "platform_call_duration_seconds",
  type: "histogram",
  help: "How long apps took to answer",
  labels: { kind: ROUTE_KINDS },
  buckets: SECONDS,
};

const CALL_OWN_SECONDS: Metric<"kind"> = {
  name: "platform_call_platform_seconds",
  type: "histogram",
  help: "The platform's own time before and after the app's answer, without waiting",
  labels: { kind: ROUTE_KINDS },
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
};

export const DELIVERIES: Metric<"state"> = {
  name: "platform_delivery_attempts_total",
  type: "counter",
  help: "Attempts to deliver an event, by the delivery's resulting state; PENDING is tried again",
  labels: { state: DELIVERY_STATES },
};

export const EVENTS: Metric<"result"> = {
  name: "platform_events_total",
  type: "counter",
  help: "Accepted events from cores; a duplicate was stored before",
  labels: { result: ["stored", "duplicate"] },
};

export const STATE_READS: Metric<"result"> = {
  name: "platform_state_reads_total",
  type: "counter",
  help: "State reads; refused ones had no valid key",
  labels: { result: ["served", "refused"] },
};

export const REDACTIONS: Metric<never> = {
  name: "platform_redactions_total",
  type: "counter",
  help: "Payloads and answers of calls in which secrets or keys were masked",
  labels: {},
};

export const DROPPED_RECORDS: Metric<never> = {
  name: "platform_call_records_dropped_total",
  type: "counter",
  help: "Calls that were made and not recorded, because the database was unavailable or too slow",
  labels: {},
};

export const CALL_METRICS = [
  CALLS,
  CALL_SECONDS,
  CALL_OWN_SECONDS,
  DELIVERIES,
  EVENTS,
  STATE_READS,
  REDACTIONS,
  DROPPED_RECORDS,
];

interface EndedCall {
  /** Null without a failure. A failure without a fault is the caller's. */
  failure: string | null;
  fault: AppFault | null;
  durationMs: number;
}

export function countCall(metrics: Metrics, kind: RouteKind, ended: EndedCall, platformMs: number): void {
  if (!metrics.isOn) return;
  const { failure, fault, durationMs } = ended;
  metrics.add(CALLS, { kind, outcome: fault ?? (failure === null ? OK : "caller") });
  const labels = { kind };
  metrics.observe(CALL_SECONDS, labels, durationMs / 1_000);
  metrics.observe(CALL_OWN_SECONDS, labels, platformMs / 1_000);
}
