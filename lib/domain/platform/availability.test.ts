import { expect, test } from "vitest";
import { AWAY_AFTER_MS, findAway } from "./availability";

const at = Date.parse("2026-01-31T12:00:00Z");
const long = 60 * 60_000;
const here = { part: "gateway", agoMs: 500 } as const;
const gone = { part: "worker", agoMs: long } as const;
const look = { at, awaySince: null, answeringMs: Infinity, beats: [here, gone] };

test("a part is away when none of its processes has reported for a while, since its last report", () => {
  expect(findAway(look)).toEqual([{ part: "worker", since: "2026-01-31T11:00:00.000Z" }]);
  expect(findAway({ ...look, beats: [{ ...gone, agoMs: AWAY_AFTER_MS }] })).toEqual([]);
});

test("a part that has never reported is not away: it may be of an earlier release", () => {
  expect(findAway({ ...look, beats: [] })).toEqual([]);
});

// Guarantee: nobody reads that the worker is away because the database was.
test("when the database is back, the parts have time to report", () => {
  expect(findAway({ ...look, answeringMs: 1_000 })).toEqual([]);
  expect(findAway({ ...look, answeringMs: AWAY_AFTER_MS + 1 })).toHaveLength(1);
});

test("while the database is away, only that is known", () => {
  const away = { part: "database", since: "2026-01-31T11:59:58.000Z" };
  expect(findAway({ ...look, awaySince: at - 2_000 })).toEqual([away]);
});
