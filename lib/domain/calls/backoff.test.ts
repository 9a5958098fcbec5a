import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  interruptedWaitMs,
  MOST_INTERRUPTIONS,
  nextStep,
  readRetryAfter,
  restartWaitMs,
  RETRY_WAITS_MS,
} from "./backoff";

const now = new Date("2026-01-01T00:00:00Z");
const DAY_MS = 24 * 3_600_000;

test("2xx delivers, 410 ends, other 4xx and redirects are not retried", () => {
  expect(nextStep({ status: 204 }, 1, now, 0.5)).toEqual({ state: "DELIVERED" });
  expect(nextStep({ status: 410 }, 1, now, 0.5)).toEqual({ state: "ENDED" });
  for (const status of [301, 302, 400, 401, 404, 422]) {
    expect(nextStep({ status }, 1, now, 0.5)).toEqual({ state: "DEAD" });
  }
});

test("timeouts, 429 and 5xx are retried on the schedule, then dead", () => {
  for (const status of [null, 429, 500, 503]) {
    expect(nextStep({ status }, 1, now, 0.5)).toEqual({ state: "PENDING", waitMs: 5_000 });
    expect(nextStep({ status }, 9, now, 0.5)).toEqual({ state: "PENDING", waitMs: DAY_MS });
    expect(nextStep({ status }, RETRY_WAITS_MS.length, now, 0.5)).toEqual({ state: "DEAD" });
  }
});

test("Retry-After is honored up to a day, as seconds or as a date; invalid values are ignored", () => {
  expect(nextStep({ status: 429, retryAfter: "120" }, 1, now, 0.5)).toEqual({
    state: "PENDING",
    waitMs: 120_000,
  });
  expect(readRetryAfter("Thu, 01 Jan 2026 00:01:00 GMT", now)).toBe(60_000);
  expect(readRetryAfter("999999999", now)).toBe(DAY_MS);
  expect(readRetryAfter("Thu, 01 Jan 1970 00:00:00 GMT", now)).toBe(0);
  expect(readRetryAfter("soon", now)).toBe(0);
});

test("jitter stays within a fifth of the schedule", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (tries, chance) => {
        const step = nextStep({ status: 500 }, tries, now, chance);
        const wait = RETRY_WAITS_MS[tries] ?? 0;
        expect(step.state).toBe("PENDING");
        if (step.state !== "PENDING") return;
        expect(step.waitMs).toBeGreaterThanOrEqual(Math.floor(wait * 0.8));
        expect(step.waitMs).toBeLessThanOrEqual(Math.ceil(wait * 1.2));
      },
    ),
  );
});

// Guarantee: one crash costs no time, a crash loop slows down, and no number of crashes ends the restarts.
test("restarts back off to five minutes and never end", () => {
  const waits = Array.from({ length: 12 }, (_, failures) => restartWaitMs(failures));
  expect(waits.slice(0, 2)).toEqual([0, 0]);
  expect(waits).toEqual(waits.toSorted((one, other) => one - other));
  expect(new Set([waits.at(-1), restartWaitMs(10_000)])).toEqual(new Set([300_000]));
});

// Guarantee: the retry times in the guide are the real ones.
test("the guide lists the schedule", async () => {
  const guide = (await readFile("docs/guide/calls.md", "utf8")).replace(/\s+/g, " ");
  const minutes = RETRY_WAITS_MS.slice(2, 4).map((ms) => `${ms / 60_000} minutes`);
  const hours = RETRY_WAITS_MS.slice(4).map((ms) => String(ms / 3_600_000));
  const list = `${hours.slice(0, -1).join(", ")} and ${hours.at(-1)} hours`;
  expect(guide).toContain(
    `retries after ${(RETRY_WAITS_MS[1] ?? 0) / 1_000} seconds, ${minutes.join(" and ")}, then after ${list}.`,
  );
  const waits = (kind: "refused" | "cut") =>
    Array.from({ length: MOST_INTERRUPTIONS }, (_, count) =>
      interruptedWaitMs({ status: null, interrupted: kind }, count, 0.5),
    ).flatMap((ms) => (ms === undefined ? [] : [ms / 1_000]));
  expect(guide).toContain(
    `after ${waits("cut").slice(0, -1).join(", ")} and ${waits("cut").at(-1)} seconds, and only later`,
  );
  expect(guide).toContain(
    `after ${Math.min(...waits("refused"))} to ${Math.max(...waits("refused"))} seconds, up to ${waits("refused").length} times`,
  );
});
