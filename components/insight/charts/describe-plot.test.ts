import { expect, test } from "vitest";
import { highest, stack, timeIntervals, valueTicks } from "./describe-plot";

test("ticks are round, start at 0, and reach the highest number", () => {
  expect(valueTicks(78, 1)).toEqual([0, 20, 40, 60, 80]);
  expect(valueTicks(1_204, 1)).toEqual([0, 500, 1_000, 1_500]);
  for (const max of [0, 0.02, 0.9, 7, 99, 101, 30_000]) {
    const ticks = valueTicks(max, 0.1);
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(max);
    expect(ticks.length).toBeLessThan(8);
  }
});

test("calls are counted in whole numbers, also where there are few or none", () => {
  for (const max of [0, 1, 2, 3, 5, 9, 10])
    expect(valueTicks(max, 1).every(Number.isInteger), String(max)).toBe(true);
  expect(valueTicks(0, 1)).toEqual([0, 1]);
});

test("no two ticks are so close that their times read the same", () => {
  expect(timeIntervals(86_400_000)[0]).toBe(86_400_000);
  expect(timeIntervals(60_000)[0]).toBe(60_000);
});

test("a stack is as high as the sum of its parts, and has no part for a 0", () => {
  expect(
    stack([
      [5, 0, 2],
      [1, 3, 0],
    ]),
  ).toEqual([
    [5, null, 2],
    [6, 3, null],
  ]);
  expect([highest([[null, 2], [7]]), highest([[null]])]).toEqual([7, 0]);
});
