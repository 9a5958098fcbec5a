import { describe, expect, test } from "vitest";
import { nextScaling, type Scaling } from "./scaling";

const EACH = 8;
const MINUTE = 60_000;
const given = (one: Partial<Scaling>): Scaling => ({
  versionId: "v1",
  least: 1,
  most: 5,
  wanted: 1,
  enoughMs: null,
  calls: 0,
  ...one,
});

describe("replicas of a busy version", () => {
  const rises: [calls: number, wanted: number, next: number | undefined][] = [
    [8, 1, undefined],
    [8.1, 1, 2],
    [40, 1, 2],
    [40, 2, 4],
    [40, 4, 5],
    [400, 5, undefined],
  ];
  test.each(rises)("%d calls at %d replicas: %j", (calls, wanted, next) => {
    expect(nextScaling(given({ calls, wanted }), EACH)?.replicas).toBe(next);
  });

  test("they leave one by one, after five minutes in which they were too many", () => {
    expect(nextScaling(given({ wanted: 3 }), EACH)).toEqual({ replicas: 3, enoughMs: 0 });
    expect(nextScaling(given({ wanted: 3, enoughMs: 5 * MINUTE - 1 }), EACH)).toBeUndefined();
    expect(nextScaling(given({ wanted: 3, enoughMs: 5 * MINUTE }), EACH)).toEqual({
      replicas: 2,
      enoughMs: 4 * MINUTE,
    });
  });

  test("a burst within the five minutes starts them again", () => {
    const calls = 3 * EACH;
    expect(nextScaling(given({ wanted: 3, enoughMs: 4 * MINUTE, calls }), EACH)).toEqual({
      replicas: 3,
      enoughMs: null,
    });
  });

  test("never fewer than the publisher runs anyway, and never more than are allowed", () => {
    expect(nextScaling(given({ least: 2, wanted: 2 }), EACH)).toBeUndefined();
    expect(nextScaling(given({ least: 3, most: 2, wanted: 3, calls: 100 }), EACH)).toBeUndefined();
  });
});
