import { setImmediate as tick } from "node:timers/promises";
import { expect, test } from "vitest";
import { batchByLoad } from "./batch-by-load";

const ok = (value: number): PromiseSettledResult<number> => ({ status: "fulfilled", value });

/** Doubles numbers. Batches end when `release` is called. */
function givenDoubling(lanes: number, size: number) {
  const batches: number[][] = [];
  const ends: (() => void)[] = [];
  const double = batchByLoad<number, number>({
    lanes,
    size,
    run: async (items) => {
      batches.push(items);
      await new Promise<void>((resolve) => ends.push(resolve));
      return items.map((item) => ok(item * 2));
    },
  });
  const release = async () => {
    ends.splice(0).forEach((end) => end());
    await tick();
    await tick();
  };
  return { double, batches, release };
}

// Guarantee: an idle gateway looks a key up at once; a busy one looks many up with one statement, of bounded size.
test("items that come while all lanes are busy share the next batches", async () => {
  const { double, batches, release } = givenDoubling(1, 3);
  const results = [double(1)];
  await tick();
  results.push(...[2, 3, 4, 5].map(double));
  await tick();
  expect(batches).toEqual([[1]]);
  await release();
  await release();
  await release();
  expect(batches).toEqual([[1], [2, 3, 4], [5]]);
  expect(await Promise.all(results)).toEqual([2, 4, 6, 8, 10]);
});

test("no more batches run at once than there are lanes", async () => {
  const { double, batches, release } = givenDoubling(2, 1);
  const results = [1, 2, 3].map(double);
  await tick();
  await tick();
  expect(batches).toEqual([[1], [2]]);
  await release();
  await release();
  expect(await Promise.all(results)).toEqual([2, 4, 6]);
});

// Guarantee: one installation whose secrets do not open fails no other customer's read.
test("an item that fails fails alone; a batch that fails frees its lane", async () => {
  let down = false;
  const double = batchByLoad<number, number>({
    lanes: 1,
    size: 10,
    run: (items) =>
      down
        ? Promise.reject(new Error("no database"))
        : Promise.resolve(
            items.map((item) =>
              item < 0 ? { status: "rejected", reason: new Error("negative") } : ok(item * 2),
            ),
          ),
  });
  expect(await Promise.allSettled([double(1), double(-1)])).toMatchObject([
    { value: 2 },
    { reason: new Error("negative") },
  ]);
  down = true;
  await expect(double(1)).rejects.toThrow("no database");
  down = false;
  expect(await double(4)).toBe(8);
});
