import { expect, test } from "vitest";
import { HOURS_OF_DAY, NO_CALLS, sumCalls, toCallsOfDay } from "./calls-of-day";

test("calls are in the hour in which they were made, and older ones don't count", () => {
  const day = toCallsOfDay([
    { ago: 0, calls: 3, failed: 1 },
    { ago: HOURS_OF_DAY - 1, calls: 5, failed: 0 },
    { ago: HOURS_OF_DAY, calls: 100, failed: 100 },
  ]);
  expect(day).toMatchObject({ calls: 8, failed: 1 });
  expect(day.hours).toHaveLength(HOURS_OF_DAY);
  expect(day.hours[0]).toEqual({ calls: 5, failed: 0 });
  expect(day.hours.at(-1)).toEqual({ calls: 3, failed: 1 });
  expect(sumCalls([day, NO_CALLS, day])).toMatchObject({ calls: 16, failed: 2 });
  expect(sumCalls([])).toEqual(NO_CALLS);
});
