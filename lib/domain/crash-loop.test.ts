import { expect, test } from "vitest";
import { restartWaitMs } from "./backoff";
import { BACKOFF_MINUTES, CRASHES_TO_PARK, isCrashLoop, mayBeCrashLoop, nextRestart } from "./crash-loop";

const at = new Date("2026-01-01T12:00:00Z");
const after = (ms: number) => new Date(at.getTime() + ms);

test("the next restart waits for the backoff after the last failure", () => {
  expect(nextRestart({ lastFailure: { at }, countedFailures: 1 })).toBeUndefined();
  expect(nextRestart({ lastFailure: { at }, countedFailures: 100 })).toEqual(after(300_000));
  expect(nextRestart({ countedFailures: 0 })).toBeUndefined();
});

// Guarantee: an app that exits at once is parked, and one crash too few is not a loop.
test("ten crashes within an hour are a crash loop, and the waits leave time for them", () => {
  expect([9, 10, 11].map(isCrashLoop)).toEqual([false, true, true]);
  const waits = Array.from({ length: CRASHES_TO_PARK }, (_, failures) => restartWaitMs(failures));
  const loopMs = waits.reduce((sum, wait) => sum + wait, 0);
  // Also if each start takes the minute in which an app must become ready.
  expect(loopMs + CRASHES_TO_PARK * 60_000).toBeLessThan(BACKOFF_MINUTES * 60_000);
});

test("a crash is judged once the call that may have caused it is recorded", () => {
  const crashed = { lastFailure: { at }, countedFailures: 10 };
  expect(mayBeCrashLoop(crashed, after(4_000))).toBe(false);
  expect(mayBeCrashLoop(crashed, after(5_000))).toBe(true);
  expect(mayBeCrashLoop({ ...crashed, countedFailures: 9 }, after(5_000))).toBe(false);
});
