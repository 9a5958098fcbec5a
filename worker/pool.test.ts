import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createPool } from "./pool";

function counted(total: number, run: (item: number) => Promise<void>) {
  const queue = Array.from({ length: total }, (_, n) => n);
  const seen = { done: [] as number[], most: 0, errors: [] as unknown[] };
  let open = 0;
  const pool = createPool<number>({
    bound: 4,
    claim: async (limit) => queue.splice(0, limit),
    run: async (item) => {
      open += 1;
      seen.most = Math.max(seen.most, open);
      try {
        await run(item);
        seen.done.push(item);
      } finally {
        open -= 1;
      }
    },
    onError: (error) => void seen.errors.push(error),
  });
  return { pool, seen, queue };
}

// Guarantee: one wake-up processes all work, never more than the bound at once.
test("processes everything within the bound", async () => {
  const { pool, seen } = counted(50, () => sleep(1));
  pool.wake();
  await expect.poll(() => seen.done.length).toBe(50);
  expect(seen.most).toBe(4);
});

test("a slow item does not delay others", async () => {
  let release: () => void = () => undefined;
  const slow = new Promise<void>((resolve) => (release = resolve));
  const { pool, seen } = counted(20, (item) => (item === 0 ? slow : sleep(1)));
  pool.wake();
  await expect.poll(() => seen.done.length).toBe(19);
  release();
  await expect.poll(() => seen.done.length).toBe(20);
});

test("an error is reported and stops nothing else", async () => {
  const { pool, seen } = counted(10, (item) =>
    item % 2 === 0 ? Promise.reject(new Error("no")) : Promise.resolve(),
  );
  pool.wake();
  await expect.poll(() => seen.done.length).toBe(5);
  expect(seen.errors).toHaveLength(5);
});

// Guarantee: after SIGTERM, claimed items are finished and no more are claimed.
test("drain waits for items in progress and claims no more", async () => {
  const { pool, seen, queue } = counted(10, () => sleep(30));
  pool.wake();
  await sleep(10);
  await pool.drain();
  expect(seen.done).toHaveLength(4);
  pool.wake();
  await sleep(10);
  expect(queue).toHaveLength(6);
});
