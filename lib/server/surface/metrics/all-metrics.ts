/** All metrics of the platform, in the order of docs/metrics.md, and those that belong to no context below this one. */
import { PROBLEM_STATUS } from "@/lib/contract/platform/problem";
import { CALL_METRICS } from "../../calls/call-metrics";
import { LEASED_TABLES } from "../../platform/lease-queries";
import type { Metric } from "../../platform/metrics";
import { POOL_METRICS } from "../../platform/platform";
import { START_METRICS } from "../../runtime/start-metrics";
import { WORK_CLASSES } from "../api/routes/route";

const REFUSED = Object.entries(PROBLEM_STATUS).flatMap(([code, status]) => (status >= 429 ? [code] : []));

/** Counted by the gateway. */
export const REFUSALS: Metric<"work" | "code"> = {
  name: "platform_requests_refused_total",
  type: "counter",
  help: "Requests that the gateway answered with 429, or with 500 or more, by the problem's code",
  labels: { work: WORK_CLASSES, code: REFUSED },
};

/** Read from the gateway's admission. */
export const PLACES: Metric<"work" | "state"> = {
  name: "platform_requests_in_progress",
  type: "gauge",
  help: "Requests that have a place in the gateway, or wait for one",
  labels: { work: WORK_CLASSES, state: ["taken", "waiting"] },
};

/** Read from the worker's loops. */
export const STUCK_LOOPS: Metric<never> = {
  name: "platform_worker_stuck_loops",
  type: "gauge",
  help: "Loops of the worker that could not look for work for 30 seconds",
  labels: {},
};

const fromDatabase = <Label extends string>(
  name: `platform_${string}`,
  help: string,
  labels: Record<Label, readonly string[]>,
): Metric<Label> => ({ name, type: "gauge", help, labels });

/** Read from the database, by each part the same. */
export const DATABASE_METRICS = {
  due: fromDatabase("platform_queue_due", "Entries that are due, 20,000 at most", {
    queue: LEASED_TABLES,
  }),
  leased: fromDatabase("platform_queue_leased", "Entries that workers have leased, 20,000 at most", {
    queue: LEASED_TABLES,
  }),
  oldest: fromDatabase(
    "platform_queue_oldest_seconds",
    "How long the oldest entry that only the platform delays has been due; 0 if there is none",
    { queue: LEASED_TABLES },
  ),
  breakers: fromDatabase("platform_breakers_open", "Circuit breakers that are not closed", {
    scope: ["installation", "event_type"],
  }),
  instances: fromDatabase("platform_instances", "Instances that have not ended", {
    state: ["STARTING", "READY", "DRAINING"],
  }),
  parked: fromDatabase(
    "platform_versions_parked",
    "Versions that are not restarted, because they crashed too often",
    {},
  ),
  installations: fromDatabase("platform_installations_in_error", "Installations in the state ERROR", {}),
  workers: fromDatabase(
    "platform_workers",
    "Workers that work: they reported within ten seconds, and are not ending",
    {},
  ),
  audit: fromDatabase("platform_audit_entries", "Entries of all audit trails", {}),
};

/** Set for each scrape. */
export const DATABASE_UP: Metric<never> = {
  name: "platform_database_up",
  type: "gauge",
  help: "1 if the database answered the last reading; otherwise, metrics that are read from it are left out",
  labels: {},
};

export const BUILD_INFO: Metric<"version" | "part" | "node"> = {
  name: "platform_build_info",
  type: "gauge",
  help: "Always 1; version, part and Node of this process",
  // Of this process only, so one value each.
  labels: { version: [], part: [], node: [] },
};

export const ALL_METRICS: readonly Metric[] = [
  ...CALL_METRICS,
  REFUSALS,
  PLACES,
  ...Object.values(DATABASE_METRICS),
  ...START_METRICS,
  STUCK_LOOPS,
  ...POOL_METRICS,
  DATABASE_UP,
  BUILD_INFO,
];
