import { expect, test } from "vitest";
import { createdAt } from "@/lib/domain/calls/call-range";
import { HISTORY_DAYS, inventCalls } from "./add-history";

/** Park and Miller's generator. */
function seededRandom(seed = 7): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** A Friday. */
const NOW = new Date(2026, 10, 20, 16, 30);
const calls = inventCalls("autofill", NOW, seededRandom());

// Guarantee: charts of the demo look like those of a business, not like noise.
test("days are busier than nights, weekdays busier than weekends, and few calls fail but for one hour", () => {
  const at = (hours: number[], days: number[]) =>
    calls.filter(
      ({ startedAt }) => hours.includes(startedAt.getHours()) && days.includes(startedAt.getDay()),
    );
  expect(at([9, 10, 11], [1, 2, 3, 4]).length).toBeGreaterThan(20 * at([1, 2, 3], [1, 2, 3, 4]).length);
  expect(at([9, 10, 11], [2, 3]).length).toBeGreaterThan(3 * at([9, 10, 11], [0, 6]).length);
  const failed = calls.filter(({ failure }) => failure !== null);
  const hours = failed.map(({ startedAt }) => Math.floor((NOW.getTime() - startedAt.getTime()) / 3_600_000));
  const inWorstHour = Math.max(...hours.map((hour) => hours.filter((other) => other === hour).length));
  expect(failed.length / calls.length).toBeLessThan(0.03);
  expect(inWorstHour).toBeGreaterThan(failed.length / 4);
});

test("every call is within the week before now, and its id sorts by its time", () => {
  const from = NOW.getTime() - HISTORY_DAYS * 24 * 3_600_000;
  for (const { id, startedAt } of calls) {
    expect(createdAt(id)).toEqual(startedAt);
    expect(startedAt.getTime()).toBeGreaterThanOrEqual(from);
    expect(startedAt.getTime()).toBeLessThan(NOW.getTime());
  }
  expect(inventCalls("lifecycle", NOW, seededRandom())).toEqual([]);
});
