import fc from "fast-check";
import { v7 } from "uuid";
import { expect, test } from "vitest";
import { firstIdAt } from "@/lib/contract/platform/text";
import {
  bucketLength,
  createdAt,
  divideRange,
  LATENCY_GROWTH,
  LatencyTally,
  NOT_ENDED,
  toRange,
} from "./call-range";

const now = new Date("2026-11-22T12:00:00.000Z");

test("exact times win over a period, and a period ends now", () => {
  expect(toRange({ last: "1h" }, now)).toEqual({ from: new Date("2026-11-22T11:00:00.000Z") });
  const exact = { last: "1h", from: "2026-11-20T00:00:00+02:00", to: "2026-11-20T01:00:00Z" } as const;
  expect(toRange(exact, now)).toEqual({
    from: new Date("2026-11-19T22:00:00.000Z"),
    to: new Date("2026-11-20T01:00:00.000Z"),
  });
  expect(toRange({}, now)).toEqual({});
});

// Guarantee: a range of ids is a range of times, to the millisecond.
test("ids of a millisecond are at or after its first id, and before the next one's", () => {
  const msecs = now.getTime();
  for (let index = 0; index < 100; index++) {
    const id = v7({ msecs });
    expect(id >= firstIdAt(now) && id < firstIdAt(new Date(msecs + 1))).toBe(true);
    expect(createdAt(id)).toEqual(now);
  }
  expect(firstIdAt(new Date(-5))).toBe("00000000-0000-0000-0000-000000000000");
});

test.each([
  [60_000, 1_000],
  [3_600_000, 60_000],
  [86_400_000, 30 * 60_000],
  [7 * 86_400_000, 3 * 3_600_000],
  [30 * 86_400_000, 12 * 3_600_000],
  [365 * 86_400_000, 7 * 86_400_000],
])("a range of %i ms has buckets of %i ms", (range, bucket) => {
  expect(bucketLength(new Date(now.getTime() - range), now)).toBe(bucket);
});

const at = (time: string) => new Date(`2026-11-22T${time}Z`);
const HOUR = 3_600_000;

// Guarantee: each call of a range is counted in exactly one part of it.
test.each([
  ["buckets are shorter than an hour", "10:30", "14:30", HOUR / 2, at("13:00"), undefined, ["10:30-14:30"]],
  ["nothing is counted yet", "10:30", "14:30", HOUR, undefined, undefined, ["10:30-14:30"]],
  ["hours end inside", "10:30", "14:30", HOUR, at("13:00"), "11:00-13:00", ["10:30-11:00", "13:00-14:30"]],
  ["all hours are counted", "10:00", "14:30", 3 * HOUR, at("18:00"), "10:00-14:00", ["14:00-14:30"]],
  ["no whole hour is inside", "10:30", "11:30", HOUR, at("18:00"), undefined, ["10:30-11:30"]],
])("a range is divided when %s", (_when, from, to, bucketMs, countedUntil, hours, calls) => {
  const text = (part: { from: Date; to: Date } | undefined) =>
    part && `${part.from.toISOString().slice(11, 16)}-${part.to.toISOString().slice(11, 16)}`;
  const divided = divideRange({ from: at(from), to: at(to) }, bucketMs, countedUntil);
  expect(text(divided.hours)).toBe(hours);
  expect(divided.calls.map(text)).toEqual(calls);
});

const bucketOf = (ms: number) => Math.floor(Math.log(Math.max(ms, 1)) / Math.log(LATENCY_GROWTH));

// Guarantee: a percentile is within 4% of the call at its rank, or half a millisecond.
test("percentiles are those of the calls", () => {
  const latency = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 86_400_000 }));
  fc.assert(
    fc.property(fc.array(latency, { minLength: 1, maxLength: 200 }), (latencies) => {
      const tally = new LatencyTally();
      for (const ms of latencies) tally.add({ latencies: [bucketOf(ms)], calls: [1], failed: 0 });
      const sorted = latencies.toSorted((one, other) => one - other);
      const measures = tally.measure();
      for (const [share, found] of [
        [0.5, measures.p50],
        [0.95, measures.p95],
      ] as const) {
        const exact = Math.max(1, sorted[Math.ceil(latencies.length * share) - 1] ?? 0);
        expect(Math.abs((found ?? 0) - exact)).toBeLessThanOrEqual(exact * 0.04 + 0.5);
      }
    }),
  );
});

test("calls that have not ended are counted, and have no latency", () => {
  const tally = new LatencyTally();
  expect(tally.measure()).toEqual({ calls: 0, failed: 0, p50: null, p95: null });
  tally.add({ latencies: [NOT_ENDED], calls: [3], failed: 0 });
  expect(tally.measure()).toEqual({ calls: 3, failed: 0, p50: null, p95: null });
  tally.add({ latencies: [bucketOf(7), bucketOf(7)], calls: [1, 1], failed: 1 });
  expect(tally.measure()).toEqual({ calls: 5, failed: 1, p50: 7, p95: 7 });
});
