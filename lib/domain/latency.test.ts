import fc from "fast-check";
import { expect, test } from "vitest";
import { LATENCY_GROWTH, LatencyTally, NOT_ENDED } from "./latency";

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
