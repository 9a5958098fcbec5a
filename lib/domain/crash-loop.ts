/** When a version that crashed is started again, and when it is parked: not started anymore until somebody unparks it. */
import { restartWaitMs } from "./backoff";

/** Failures of this time slow down restarts and count toward a crash loop. */
export const BACKOFF_MINUTES = 60;

/**
 * So many crashes within `BACKOFF_MINUTES` park a version. With the waits between restarts, an app that exits at once is
 * parked after about 14 minutes. Only crashes that no call can have caused count: otherwise one customer's payload could
 * stop the app for all of its customers.
 */
export const CRASHES_TO_PARK = 10;

/** The record of a call may be written a moment after the crash that ended it. */
const RECORDED_AFTER_MS = 5_000;

interface Failures {
  lastFailure?: { at: Date };
  /** In the last `BACKOFF_MINUTES`, since the version was last unparked. */
  countedFailures: number;
}

/** When the version may be started again; undefined if at once. */
export function nextRestart({ lastFailure, countedFailures }: Failures): Date | undefined {
  const wait = restartWaitMs(countedFailures);
  return lastFailure === undefined || wait === 0 ? undefined : new Date(lastFailure.at.getTime() + wait);
}

/** Whether it is worth counting which crashes no call can have caused. */
export function mayBeCrashLoop({ lastFailure, countedFailures }: Failures, now: Date): boolean {
  if (lastFailure === undefined || countedFailures < CRASHES_TO_PARK) return false;
  return now.getTime() - lastFailure.at.getTime() >= RECORDED_AFTER_MS;
}

/** @param crashes that no call can have caused, in the last `BACKOFF_MINUTES`, since the version was last unparked */
export function isCrashLoop(crashes: number): boolean {
  return crashes >= CRASHES_TO_PARK;
}
