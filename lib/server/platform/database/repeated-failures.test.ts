import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { reportFailure, reportSuccess } from "./repeated-failures";

const lines: string[] = [];
const write = (level: string) => (facts: { times?: number; failures?: number }, message: string) => {
  const counts = [facts.times && `times ${facts.times}`, facts.failures && `after ${facts.failures}`];
  lines.push([level, message, ...counts].filter(Boolean).join(", "));
};
// Fakes only what is used: a logger's methods have many signatures.
const log = (): Parameters<typeof reportFailure>[0] =>
  Object.assign(Object.create(null), { error: write("error"), warn: write("warn"), info: write("info") });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  lines.length = 0;
});

const fail = (to: ReturnType<typeof log>, kind = "restore") =>
  reportFailure(to, kind, { err: new Error("no"), message: `${kind} failed` });

// Guarantee: an outage of hours costs a line a minute for each kind of work, not one for each try.
test("a failure is logged when it begins, once a minute with the count, and when it is over", () => {
  const own = log();
  for (let tries = 0; tries < 120; tries += 1) {
    fail(own);
    vi.advanceTimersByTime(1_000);
  }
  reportSuccess(own, "restore");
  reportSuccess(own, "restore");
  vi.advanceTimersByTime(600_000);
  expect(lines).toEqual([
    "error, restore failed",
    "error, restore failed, times 60",
    "info, work succeeds again, after 120",
  ]);
});

test("each kind of work has its own lines", () => {
  const own = log();
  fail(own, "restore");
  fail(own, "sample");
  fail(own, "sample");
  reportSuccess(own, "sample");
  expect(lines).toEqual([
    "error, restore failed",
    "error, sample failed",
    "info, work succeeds again, after 2",
  ]);
});

test("what fails every other time writes two lines a minute at most, and the last word is true", () => {
  const own = log();
  for (let tries = 0; tries < 50; tries += 1) {
    fail(own);
    vi.advanceTimersByTime(1_000);
    reportSuccess(own, "restore");
    vi.advanceTimersByTime(1_000);
  }
  vi.advanceTimersByTime(600_000);
  expect(lines.length).toBeLessThanOrEqual(6);
  expect(lines.at(-1)).toMatch(/^info/);
});

test("a failure after a quiet time is news", () => {
  const own = log();
  fail(own);
  vi.advanceTimersByTime(61_000);
  fail(own);
  expect(lines).toEqual(["error, restore failed", "error, restore failed"]);
});

test("success without a failure writes nothing", () => {
  reportSuccess(log(), "restore");
  expect(lines).toEqual([]);
});
