import fc from "fast-check";
import { expect, test } from "vitest";
import { nextStep, readRetryAfter, restartWaitMs, RETRY_WAITS_MS } from "./backoff";
import {
  type Breaker,
  FAILURES_TO_OPEN,
  NEVER_OPENED,
  nextBreaker,
  readSignal,
  type Signal,
} from "./breaker";

const T0 = new Date("2026-01-01T00:00:00Z");
const after = (ms: number) => new Date(T0.getTime() + ms);
const fails: Signal = { app: "fails", probe: false, reason: "It returned 500." };
const works: Signal = { app: "works", probe: false, reason: null };
const probe = (signal: Signal): Signal => ({ ...signal, probe: true });

const failTimes = (times: number, from: Breaker = NEVER_OPENED) =>
  Array.from({ length: times }).reduce<Breaker>((breaker) => nextBreaker(breaker, fails, T0), from);

const opened = failTimes(FAILURES_TO_OPEN);
const halfOpen: Breaker = { ...opened, state: "HALF_OPEN" };

// Guarantee: one bad event never stops the others; an app that fails again and again is left alone.
test("it opens after failures in a row, and a success between them starts the count again", () => {
  expect(failTimes(FAILURES_TO_OPEN - 1).state).toBe("CLOSED");
  expect(opened).toMatchObject({ state: "OPEN", openedAt: T0, probeAt: after(5_000), openings: 1 });
  const reset = nextBreaker(failTimes(FAILURES_TO_OPEN - 1), works, T0);
  expect(failTimes(FAILURES_TO_OPEN - 1, reset).state).toBe("CLOSED");
});

test("a probe that succeeds closes it; one that fails opens it for longer, up to 30 seconds", () => {
  expect(nextBreaker(halfOpen, probe(works), after(1))).toMatchObject({
    state: "CLOSED",
    failures: 0,
    openings: 0,
    openedAt: null,
    closedAt: after(1),
  });
  let breaker = opened;
  const waits = Array.from({ length: 6 }, () => {
    breaker = nextBreaker({ ...breaker, state: "HALF_OPEN" }, probe(fails), T0);
    return (breaker.probeAt?.getTime() ?? 0) - T0.getTime();
  });
  expect(waits).toEqual([10_000, 20_000, 30_000, 30_000, 30_000, 30_000]);
  expect(breaker.openedAt).toEqual(T0);
});

// Guarantee: attempts that began before it opened don't keep it open.
test("a late failure changes nothing while it is open, and a late success closes it", () => {
  expect(nextBreaker(opened, fails, after(4_000))).toBe(opened);
  expect(nextBreaker(halfOpen, fails, after(4_000))).toBe(halfOpen);
  expect(nextBreaker(opened, works, after(4_000)).state).toBe("CLOSED");
});

// Guarantee: a crash, which the platform repairs by itself, never adds a pause to the restart.
test("a crash doesn't open the breaker, and a probe that met one is repeated immediately", () => {
  const gone: Signal = { app: "gone", probe: false, reason: "It refused the connection." };
  const crashed = Array.from({ length: 50 }).reduce<Breaker>((b) => nextBreaker(b, gone, T0), NEVER_OPENED);
  expect(crashed).toBe(NEVER_OPENED);
  expect(nextBreaker(halfOpen, probe(gone), after(9))).toMatchObject({ state: "OPEN", probeAt: after(9) });
});

test("an app that refuses an event works; timeouts, 408, 429 and 5xx are failures of the app", () => {
  const app = (status: number | null) => readSignal({ status }, false, null).app;
  for (const status of [200, 204, 400, 404, 410, 422]) expect(app(status)).toBe("works");
  for (const status of [null, 408, 429, 500, 503]) expect(app(status)).toBe("fails");
  expect(readSignal({ status: null, interrupted: "refused" }, false, null).app).toBe("gone");
});

// Guarantee: whatever happens, an open breaker always has a moment at which the next delivery is sent, half a minute at most.
test("it never stays open without a next probe", () => {
  const signal = fc.record({
    app: fc.constantFrom("works" as const, "fails" as const, "gone" as const),
    probe: fc.boolean(),
    reason: fc.constant(null),
  });
  fc.assert(
    fc.property(fc.array(signal, { maxLength: 60 }), (signals) => {
      let breaker = NEVER_OPENED;
      signals.forEach((each, second) => {
        const now = after(second * 1_000);
        breaker = nextBreaker(breaker, each, now);
        if (breaker.state === "CLOSED") expect(breaker).toMatchObject({ openedAt: null, probeAt: null });
        else expect((breaker.probeAt?.getTime() ?? Infinity) - now.getTime()).toBeLessThanOrEqual(30_000);
      });
    }),
  );
});

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
