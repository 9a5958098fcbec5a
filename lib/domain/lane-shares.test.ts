import fc from "fast-check";
import { expect, test } from "vitest";
import { LanesInUse, pickFairly, type Due } from "./lane-shares";

const LANES = 128;
let ids = 0;

const due = (
  installationId: string,
  versionId = `${installationId} app`,
  organizationId = `${installationId} org`,
): Due => ({
  id: `d${(ids += 1)}`,
  installationId,
  versionId,
  organizationId,
});

const board = (...lists: Due[][]) => new Map(lists.map((list) => [list[0]?.installationId ?? "", list]));
const many = (count: number, ...names: Parameters<typeof due>) =>
  Array.from({ length: count }, () => due(...names));

/** How many each installation got. */
function count(picked: Due[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { installationId } of picked) counts[installationId] = (counts[installationId] ?? 0) + 1;
  return counts;
}

// Guarantee: however much work one app has, another customer's event is sent at once.
test("a single busy app gets half of the lanes, and a newcomer still gets its lanes", () => {
  const inUse = new LanesInUse();
  expect(count(pickFairly(board(many(500, "slow")), inUse, LANES))).toEqual({ slow: 64 });
  expect(count(pickFairly(board(many(500, "slow"), many(3, "quick")), inUse, LANES))).toEqual({ quick: 3 });
});

test("two busy apps leave a third of the lanes", () => {
  const inUse = new LanesInUse();
  const { a = 0, b = 0 } = count(pickFairly(board(many(500, "a"), many(500, "b")), inUse, LANES));
  expect(Math.abs(a - b)).toBeLessThanOrEqual(1);
  expect(LANES - inUse.total).toBeGreaterThanOrEqual(42);
});

// Guarantee: many installations of one customer, or of one app, count as one.
test.each([
  ["organization", (n: number) => many(50, `i${n}`, `v${n}`, "org")],
  ["app", (n: number) => many(50, `i${n}`, "app", `o${n}`)],
])("fifty installations of one %s get half of the lanes together", (_name, list) => {
  const inUse = new LanesInUse();
  const lists = Array.from({ length: 50 }, (_, n) => list(n));
  expect(pickFairly(board(...lists), inUse, LANES)).toHaveLength(64);
  expect(pickFairly(board(many(3, "other")), inUse, LANES)).toHaveLength(3);
});

test("installations take turns, also from one call to the next", () => {
  const inUse = new LanesInUse();
  const waiting = board(many(4, "a"), many(4, "b"), many(4, "c"));
  const first = pickFairly(waiting, inUse, 7).map(({ installationId }) => installationId);
  expect(first.slice(0, 3)).toEqual(["a", "b", "c"]);
  for (const installationId of first) inUse.release(due(installationId));
  const second = pickFairly(waiting, inUse, 7).map(({ installationId }) => installationId);
  expect(second[0]).toBe(["a", "b", "c"][first.length % 3]);
});

test("no share is exceeded, nothing is taken twice, and released lanes are free again", () => {
  const lists = fc.array(
    fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 90 })),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(lists, fc.integer({ min: 2, max: 64 }), (shapes, lanes) => {
      const inUse = new LanesInUse();
      const waiting = board(
        ...shapes.map(([version, org, size], n) => many(size, `i${n}`, `v${version}`, `o${org}`)),
      );
      const total = shapes.reduce((sum, [, , size]) => sum + size, 0);
      const picked = pickFairly(waiting, inUse, lanes);
      const left = [...waiting.values()].reduce((sum, list) => sum + list.length, 0);
      expect(picked.length + left).toBe(total);
      const free = lanes - picked.length;
      for (const key of ["installationId", "versionId", "organizationId"] as const)
        for (const one of new Set(picked.map((each) => each[key])))
          // Later picks of others may have used what was free when it got its last lane.
          expect(picked.filter((each) => each[key] === one).length).toBeLessThan(lanes);
      expect(free).toBeGreaterThanOrEqual(1);
      for (const each of picked) inUse.release(each);
      expect(inUse.total).toBe(0);
    }),
  );
});
