/** What is counted of starts, and read of the egress guard. Knows no engine, because every part lists all metrics. */
import { REASON_CODES, type ReasonCode } from "@/lib/contract/runtime/instance-reasons";
import type { Metric, Metrics } from "../platform/metrics";

const RUNTIMES = ["docker", "process", "kubernetes"] as const;
const READY = "ready";

const STARTS: Metric<"runtime" | "outcome"> = {
  name: "platform_instance_starts_total",
  type: "counter",
  help: "Finished starts of instances; outcome is ready or the reason code",
  labels: { runtime: RUNTIMES, outcome: [READY, ...REASON_CODES] },
};

const START_SECONDS: Metric<"runtime"> = {
  name: "platform_instance_start_duration_seconds",
  type: "histogram",
  help: "How long successful starts took, until GET /health returned 200",
  labels: { runtime: RUNTIMES },
  buckets: [0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120],
};

/** Read from the worker that tells the guards their rules. */
export const EGRESS_GUARD_UP: Metric<never> = {
  name: "platform_egress_guard_up",
  type: "gauge",
  help: "1 if an egress guard has the newest rules, 0 if none can be told; only workers with a guard",
  labels: {},
};

export const START_METRICS = [STARTS, START_SECONDS, EGRESS_GUARD_UP];

/** @param beganMs on this process's monotonic clock (`performance.now()`) */
export function countStart(
  metrics: Metrics,
  runtime: (typeof RUNTIMES)[number],
  outcome: typeof READY | ReasonCode,
  beganMs: number,
): void {
  metrics.add(STARTS, { runtime, outcome });
  if (outcome === READY) metrics.observe(START_SECONDS, { runtime }, (performance.now() - beganMs) / 1_000);
}
