/** The health of an installation, from what is known about its version's instances and its own calls. */
import type { HealthProblem, HealthView } from "@/lib/contract/health";
import type { InstallationState } from "@/lib/contract/installation-states";
import { restartWaitMs } from "./backoff";

/** How long a failure counts after the app runs again. */
export const TROUBLE_MINUTES = 10;

/** Restarts slow down with the number of failures in this time. */
export const BACKOFF_MINUTES = 60;

/** One or two failed calls may be the fault of what was sent. */
const CALLS_TO_NOTICE = 3;

export interface HealthFacts {
  state: InstallationState;
  /** The version's newest instance; undefined before the first start. */
  instance?: {
    runtime: string;
    state: "STARTING" | "READY" | "FAILED" | "STOPPED";
    /** Why it ended, or why its last health check failed. */
    reason: string | null;
    createdAt: Date;
    readyAt: Date | null;
    /** Since when its health checks fail; null if the last one succeeded. */
    failingSince: Date | null;
    failedChecks: number;
  };
  /** When an instance that had been ready ended the last time. */
  lastUpAt: Date | null;
  /** Failures of the version's instances. */
  lastFailure?: { at: Date; reason: string };
  /** In the last `TROUBLE_MINUTES`. */
  recentFailures: number;
  firstRecentFailureAt: Date | null;
  /** In the last `BACKOFF_MINUTES`. */
  failures: number;
  /** The installation's calls since the last one that succeeded, on the running instance. */
  failedCalls?: { count: number; since: Date; reason: string };
  /** The installation's circuit breaker, if it is open. */
  breaker?: { count: number; since: Date; reason: string };
}

export function assessHealth(facts: HealthFacts): HealthView {
  // Whatever else happens to the app, an installation that isn't meant to run is neither degraded nor down.
  if (facts.state !== "RUNNING") return { status: facts.state, problems: [] };
  if (facts.instance?.state !== "READY") return { status: "DOWN", problems: [describeOutage(facts)] };
  const problems = [
    ...describeChecks(facts.instance),
    ...describeBreaker(facts),
    ...describeCalls(facts),
    ...describeFailures(facts),
  ];
  return { status: problems.length === 0 ? "RUNNING" : "DEGRADED", problems };
}

function describeOutage(facts: HealthFacts): HealthProblem {
  const { instance, lastFailure, lastUpAt, failures } = facts;
  const since = lastUpAt ?? lastFailure?.at ?? instance?.createdAt ?? new Date(0);
  // A start in progress has no reason of its own yet.
  const reason = (instance?.state === "STARTING" ? undefined : instance?.reason) ?? lastFailure?.reason;
  return {
    cause: "not-running",
    since: since.toISOString(),
    count: failures,
    reason: reason ?? "The app was not started yet.",
  };
}

/** When the version may be started again; undefined if at once. */
export function nextRestart({
  lastFailure,
  failures,
}: Pick<HealthFacts, "lastFailure" | "failures">): Date | undefined {
  const wait = restartWaitMs(failures);
  return lastFailure === undefined || wait === 0 ? undefined : new Date(lastFailure.at.getTime() + wait);
}

function describeChecks(instance: NonNullable<HealthFacts["instance"]>): HealthProblem[] {
  const { failingSince, failedChecks: count, reason } = instance;
  if (failingSince === null) return [];
  return [toProblem("health-checks", failingSince, count, reason ?? "GET /health failed.")];
}

function describeBreaker({ breaker }: HealthFacts): HealthProblem[] {
  if (breaker === undefined) return [];
  return [toProblem("deliveries-paused", breaker.since, breaker.count, breaker.reason)];
}

function describeCalls({ failedCalls }: HealthFacts): HealthProblem[] {
  if (failedCalls === undefined || failedCalls.count < CALLS_TO_NOTICE) return [];
  return [toProblem("calls", failedCalls.since, failedCalls.count, failedCalls.reason)];
}

function describeFailures({
  recentFailures,
  firstRecentFailureAt,
  lastFailure,
}: HealthFacts): HealthProblem[] {
  if (firstRecentFailureAt === null || lastFailure === undefined) return [];
  return [toProblem("failures", firstRecentFailureAt, recentFailures, lastFailure.reason)];
}

function toProblem(cause: HealthProblem["cause"], since: Date, count: number, reason: string): HealthProblem {
  return { cause, since: since.toISOString(), count, reason };
}
