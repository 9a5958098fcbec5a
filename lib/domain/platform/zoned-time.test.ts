import { expect, test } from "vitest";
import { endOfDay, nextMidnight, startOfDay, toInstant, toLocalTime } from "./zoned-time";

const ZURICH = "Europe/Zurich";
const range = (from: string, to: string, zone = ZURICH) => [
  toInstant(`2026-${from}`, zone, "from"),
  toInstant(`2026-${to}`, zone, "to"),
];

test("a time of the clock is the instant at which the zone's clocks show it", () => {
  expect(range("01-15T12:00", "07-15T12:00:30")).toEqual([
    "2026-01-15T11:00:00.000Z",
    "2026-07-15T10:00:30.000Z",
  ]);
  expect(toLocalTime("2026-07-15T10:00:30.250Z", ZURICH)).toBe("2026-07-15T12:00:30");
  expect(toLocalTime("2026-07-15T10:00:00Z", ZURICH)).toBe("2026-07-15T12:00:00");
});

// Guarantee: a range across a clock change is never empty, and contains whatever was meant.
test("times that don't exist widen the range", () => {
  const [from = "", to = ""] = range("03-29T02:15", "03-29T02:45");
  expect([from, to]).toEqual(["2026-03-29T00:15:00.000Z", "2026-03-29T01:45:00.000Z"]);
  expect(from < to).toBe(true);
});

test("times that are twice begin at the first and end at the second", () => {
  expect(range("10-25T02:30", "10-25T02:30")).toEqual([
    "2026-10-25T00:30:00.000Z",
    "2026-10-25T01:30:00.000Z",
  ]);
  // On the clock, the end is before the start.
  const [from = "", to = ""] = range("10-25T02:50", "10-25T02:10");
  expect(from < to).toBe(true);
});

test("a day begins and ends with the zone's midnight, also if it has 23 or 25 hours", () => {
  const hours = (day: string, zone = ZURICH) =>
    (endOfDay(day, zone).getTime() - startOfDay(day, zone).getTime()) / 3_600_000;
  expect(startOfDay("2026-01-15", ZURICH).toISOString()).toBe("2026-01-14T23:00:00.000Z");
  expect(["2026-03-28", "2026-03-29", "2026-10-25"].map((day) => hours(day))).toEqual([24, 23, 25]);
  // In Chile, clocks go forward at midnight.
  expect(startOfDay("2026-09-06", "America/Santiago").toISOString()).toBe("2026-09-06T04:00:00.000Z");
  expect(nextMidnight(new Date("2026-01-14T23:30:00Z"), ZURICH).toISOString()).toBe(
    "2026-01-15T23:00:00.000Z",
  );
});

test("an empty or unfinished time is none", () => {
  expect(["", "2026-03", "nonsense"].map((text) => toInstant(text, ZURICH, "from"))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
