import { expect, test } from "vitest";
import { addFigures, type ListingDay, sayShare } from "./listing-figures";

const DAY_MS = 86_400_000;
const day = (changes: Partial<ListingDay> = {}): ListingDay => ({
  latencies: [],
  calls: [],
  failed: 0,
  wantedMs: DAY_MS,
  healthyMs: DAY_MS,
  ...changes,
});

const ENOUGH = { latencies: [60], calls: [100] };

// Guarantee: a figure is only told of enough calls, so that one call of one customer can't be told from it.
test("calls of all days are added up, and told from 100 on, with the days", () => {
  const days = [
    day({ latencies: [60, 70], calls: [40, 20], failed: 1 }),
    day({ latencies: [60], calls: [39] }),
  ];
  expect(addFigures(days)).toEqual({ calls: null, days: null });
  const told = addFigures([...days, day({ latencies: [-1], calls: [1] })]).calls;
  expect(told?.failedShare).toBeCloseTo(0.01);
  expect(told?.medianMs).toBe(Math.round(1.08 ** 60.5));
});

test("a day is healthy if at least 99% of the time was, and days without anything to run don't count", () => {
  const days = [
    day(ENOUGH),
    day({ healthyMs: 0.995 * DAY_MS }),
    day({ healthyMs: 0.98 * DAY_MS }),
    day({ wantedMs: 0, healthyMs: 0 }),
  ];
  expect(addFigures(days).days).toEqual({ healthy: 2, all: 3 });
  expect(addFigures([day({ ...ENOUGH, wantedMs: 0 })]).days).toBeNull();
});

test.each([
  [0, "0%"],
  [0.0004, "less than 0.1%"],
  [0.0042, "0.4%"],
  [0.256, "26%"],
])("a share of %d is said as %s", (share, text) => {
  expect(sayShare(share)).toBe(text);
});
