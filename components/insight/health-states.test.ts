import { expect, test } from "vitest";
import type { HealthSegment } from "@/lib/contract/insight/health";
import { describeStates, formatLength } from "./health-states";
import { formatHealthy } from "./health-strip";

// Guarantee: an outage is never rounded away.
test("shares of healthy time", () => {
  expect([100, 99.9999, 99.5, 99, 42.04, 0].map(formatHealthy)).toEqual([
    "100%",
    "99.99%",
    "99.50%",
    "99.00%",
    "42%",
    "0%",
  ]);
});

test("lengths of time", () => {
  expect([400, 45_000, 720_000, 3_600_000, 12_000_000].map(formatLength)).toEqual([
    "1 s",
    "45 s",
    "12 min",
    "1 h",
    "3 h 20 min",
  ]);
});

test("what was wrong with a part, the worst first", () => {
  const segment = (state: HealthSegment["state"], ms: Partial<HealthSegment["ms"]>): HealthSegment => ({
    ...{ from: "", to: "", reasons: [], state },
    ms: { UP: 0, DEGRADED: 0, DOWN: 0, OFF: 0, UNKNOWN: 0, ...ms },
  });
  const both = segment("DEGRADED", { UP: 3_000_000, DEGRADED: 180_000, DOWN: 420_000 });
  expect(describeStates(both)).toBe("Down for 7 min, degraded for 3 min");
  expect(describeStates(segment("UP", { UP: 3_600_000 }))).toBe("Up");
  expect(describeStates(segment("OFF", { OFF: 1 }))).toBe("Not running");
});
