import { v7 } from "uuid";
import { expect, test } from "vitest";
import { bucketLength, createdAt, firstIdAt, toRange } from "./call-range";

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
