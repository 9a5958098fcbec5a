/** The health of an installation, from what is known about its version's instances and its own calls. */
import type { InstallationState } from "@/lib/contract/catalog/installation-states";
import type { HealthProblem, HealthView } from "@/lib/contract/insight/health";
import type { ReasonCode } from "@/lib/contract/runtime/instance-reasons";

/** How long a failure counts after the app runs again. */
export const TROUBLE_MINUTES = 10;

/** How many paused types of events are named. */
const MOST_TYPES = 5;

/** One or two failed calls may be the fault of what was sent. */
const CALLS_TO_NOTICE = 3;

export interface HealthFacts {
  state: InstallationState;
  /** An instance of the version that runs, or its last one; undefined before the first start. */
  instance?: {
    runtime: string;
    state: "STARTING" | "READY" | "DRAINING" | "FAILED" | "STOPPED";
    /** Why it ended, or why its last health check failed. */
    code: ReasonCode | null;
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
  lastFailure?: { at: Date; code: ReasonCode | null; exitCode: number | null; reason: string };
  /** In the last `TROUBLE_MINUTES`. */
  recentFailures: number;
  firstRecentFailureAt: Date | null;
  /** In the last `BACKOFF_MINUTES`. */
  failures: number;
  /** Those of them since the version was last unparked. */
  countedFailures: number;
  /** Set while the version is parked: since when, and after how many crashes. */
  parked?: { at: Date; crashes: number };
  /** Since when the version sleeps; null or undefined if it doesn't. */
  asleepSince?: Date | null;
  /** The installation's calls since the last one that succeeded, on the running instance. */
  failedCalls?: { count: number; since: Date; reason: string };
  /** The installation's circuit breakers that are open, each of an event type, or one for all types. */
  breakers?: { eventType: string | null; count: number; since: Date; reason: string }[];
}

export function assessHealth(facts: HealthFacts): HealthView {
  // An installation that isn't meant to run is never degraded or down, no matter what happens to the app.
  if (facts.state !== "RUNNING") return { status: facts.state, problems: [] };
  if (isAsleep(facts)) return { status: "ASLEEP", problems: [] };
  if (facts.instance?.state !== "READY") return { status: "DOWN", problems: [describeOutage(facts)] };
  const problems = [
    ...describeChecks(facts.instance),
    ...describeBreakers(facts),
    ...describeCalls(facts),
    ...describeFailures(facts),
  ];
  return { status: problems.length === 0 ? "RUNNING" : "DEGRADED", problems };
}

/** Until an instance is ready again, unless the start that a call asked for failed. */
function isAsleep({ asleepSince, instance, lastFailure }: HealthFacts): boolean {
  if (asleepSince === undefined || asleepSince === null || instance?.state === "READY") return false;
  if (lastFailure !== undefined && lastFailure.at > asleepSince) return false;
  return instance?.state === "STARTING" || instance?.code === "ASLEEP";
}

function describeOutage(facts: HealthFacts): HealthProblem {
  const { instance, lastFailure, lastUpAt, failures, parked } = facts;
  if (parked !== undefined)
    return toProblem("parked", parked.at, parked.crashes, {
      code: lastFailure?.code ?? null,
      reason: lastFailure?.reason ?? "It crashed too often.",
    });
  const since = lastUpAt ?? lastFailure?.at ?? instance?.createdAt ?? new Date(0);
  // A start in progress has no reason of its own yet.
  const ended = instance?.state === "STARTING" ? undefined : instance;
  const known = ended !== undefined && ended.reason !== null ? ended : lastFailure;
  return toProblem("not-running", since, failures, {
    code: known?.code ?? null,
    reason: known?.reason ?? "The app was not started yet.",
  });
}

function describeChecks(instance: NonNullable<HealthFacts["instance"]>): HealthProblem[] {
  const { failingSince, failedChecks: count, code, reason } = instance;
  if (failingSince === null) return [];
  return [toProblem("health-checks", failingSince, count, { code, reason: reason ?? "GET /health failed." })];
}

function describeBreakers({ breakers = [] }: HealthFacts): HealthProblem[] {
  const named = breakers.slice(0, MOST_TYPES).map(({ eventType, since, count, reason }) => ({
    ...toProblem("deliveries-paused", since, count, { code: null, reason }),
    ...(eventType !== null && eventType !== "" && { eventType }),
  }));
  const others = breakers.slice(MOST_TYPES);
  const [first] = others;
  if (first === undefined) return named;
  const count = others.reduce((sum, each) => sum + each.count, 0);
  const problem = toProblem("deliveries-paused", first.since, count, { code: null, reason: first.reason });
  return [...named, { ...problem, otherTypes: others.length }];
}

function describeCalls({ failedCalls }: HealthFacts): HealthProblem[] {
  if (failedCalls === undefined || failedCalls.count < CALLS_TO_NOTICE) return [];
  const { since, count, reason } = failedCalls;
  return [toProblem("calls", since, count, { code: null, reason })];
}

function describeFailures({
  recentFailures,
  firstRecentFailureAt,
  lastFailure,
}: HealthFacts): HealthProblem[] {
  if (firstRecentFailureAt === null || lastFailure === undefined) return [];
  return [toProblem("failures", firstRecentFailureAt, recentFailures, lastFailure)];
}

function toProblem(
  cause: HealthProblem["cause"],
  since: Date,
  count: number,
  { code, reason }: Pick<HealthProblem, "code" | "reason">,
): HealthProblem {
  return { cause, since: since.toISOString(), count, reason, code };
}
