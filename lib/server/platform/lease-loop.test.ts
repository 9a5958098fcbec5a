import { setTimeout as sleep } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import pg from "pg";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { upgrades } from "@/drizzle/schema/installations";
import { newLease } from "@/tests/deliver";
import { givenInstalledApp, one, testPlatform } from "@/tests/test-platform";
import { claimOpen, insertUpgrade } from "../installations/upgrade-queries";
import { type Job, type Pool, repeat, runPool } from "./lease-loop";
import type { Leased } from "./lease-queries";

const platform = await testPlatform();

interface Item extends Leased {
  n: number;
}

function counted(total: number, handle: (n: number) => Promise<void>, limit = 4) {
  const queue = Array.from({ length: total }, (_, n) => n);
  const seen = { done: [] as number[], most: 0 };
  let open = 0;
  const pool: Pool<Item> = {
    name: "upgrades",
    limit,
    leaseSeconds: 15,
    claim: async (free, { claim }) => queue.splice(0, free).map((n) => ({ id: claim, claim, n })),
    handle: async ({ n }) => {
      open += 1;
      seen.most = Math.max(seen.most, open);
      try {
        await handle(n);
        seen.done.push(n);
      } finally {
        open -= 1;
      }
    },
  };
  return { loop: runPool(platform, pool), seen, queue };
}

// Guarantee: one wake-up processes all work, never more than the limit at once.
test("processes everything within the limit", async () => {
  const { loop, seen } = counted(50, () => sleep(1));
  loop.wake();
  await expect.poll(() => seen.done.length).toBe(50);
  expect(seen.most).toBe(4);
  await loop.drain();
});

test("a slow item does not delay others", async () => {
  let release: () => void = () => undefined;
  const slow = new Promise<void>((resolve) => (release = resolve));
  const { loop, seen } = counted(20, (n) => (n === 0 ? slow : sleep(1)));
  loop.wake();
  await expect.poll(() => seen.done.length).toBe(19);
  release();
  await expect.poll(() => seen.done.length).toBe(20);
  await loop.drain();
});

test("an error is reported and stops nothing else", async () => {
  const reported = vi.spyOn(platform.log, "error").mockImplementation(() => undefined);
  const { loop, seen } = counted(10, (n) =>
    n % 2 === 0 ? Promise.reject(new Error("no")) : Promise.resolve(),
  );
  loop.wake();
  await expect.poll(() => seen.done.length).toBe(5);
  // Once: repeated failures of one kind share a line a minute.
  expect(reported).toHaveBeenCalledTimes(1);
  reported.mockRestore();
  await loop.drain();
});

// Guarantee: after SIGTERM, items in progress are finished and no more are claimed.
test("drain waits for items in progress and claims no more", async () => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const { loop, seen, queue } = counted(10, () => released);
  loop.wake();
  await expect.poll(() => queue.length).toBe(6);
  const drained = loop.drain();
  release();
  await drained;
  expect(seen.done).toHaveLength(4);
  loop.wake();
  await sleep(10);
  expect(queue).toHaveLength(6);
});

// Guarantee: jobs that must not overlap, such as measuring instances, are never run twice at once, however slow an engine is.
test("a run of a job that is alone takes the place of the next", async () => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let runs = 0;
  const run = () => {
    runs += 1;
    return released;
  };
  const job = repeat(platform, { name: "slow", everyMs: 60_000, alone: true, run });
  onTestFinished(job.stop);
  const first = job.run();
  await job.run();
  expect(runs).toBe(1);
  release();
  await first;
  await job.run();
  expect(runs).toBe(2);
});

test("a job that runs until it is done starts at once, and is repeated only while it fails", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const reported = vi.spyOn(platform.log, "error").mockImplementation(() => undefined);
  onTestFinished(() => reported.mockRestore());
  let runs = 0;
  const run = async () => {
    runs += 1;
    if (runs < 2) throw new Error("no");
  };
  repeat(platform, { name: "reconcile", everyMs: 100, untilDone: true, run });
  await expect
    .poll(() => reported.mock.calls)
    .toEqual([[expect.objectContaining({ job: "reconcile" }), expect.any(String)]]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(runs).toBe(2);
});

let upgradeId = "";
beforeEach(async () => {
  const { customer: member, version, installation } = await givenInstalledApp(platform);
  const row = await insertUpgrade(platform.db, {
    installationId: installation.id,
    fromVersionId: version.id,
    toVersionId: version.id,
    fromRevision: 1,
    toRevision: 1,
    createdBy: member.userId,
  });
  upgradeId = row.id;
});

const theUpgrade = async () =>
  one(await platform.db.select().from(upgrades).where(eq(upgrades.id, upgradeId)));

function upgradesWith(leaseSeconds: number, changes: Partial<Pool<Leased>> = {}) {
  return runPool<Leased>(platform, {
    name: "upgrades",
    limit: 1,
    leaseSeconds,
    claim: (free, lease) => claimOpen(platform.db, free, lease),
    handle: async () => undefined,
    ...changes,
  });
}

// Guarantee: work that takes longer than its lease is never done by two workers at once.
test("a lease is extended while its item is in progress, and no longer", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  let begun = 0;
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const handle = () => {
    begun += 1;
    return released;
  };
  const expire = () => platform.db.update(upgrades).set({ leasedUntil: sql`now() + interval '1 second'` });
  const leftSeconds = async () => (Number((await theUpgrade()).leasedUntil) - Date.now()) / 1_000;
  const loop = upgradesWith(300, { handle });
  loop.wake();
  await expect.poll(() => begun).toBe(1);
  await expire();
  vi.advanceTimersByTime(100_000);
  await expect.poll(leftSeconds).toBeGreaterThan(200);
  expect(await claimOpen(platform.db, 1, newLease())).toEqual([]);

  release();
  await loop.drain();
  await expire();
  vi.advanceTimersByTime(300_000);
  const other = upgradesWith(300, { handle });
  await expect.poll(() => (other.wake(), begun)).toBe(2);
  await other.drain();
});

// Guarantee: what a worker claimed while it was told to stop is immediately free for others.
test("an item that is claimed during the drain is given back and not begun", async () => {
  let begun = 0;
  const claimed = new Promise<void>((resolve) => {
    const loop = upgradesWith(15, {
      claim: async (free, lease) => {
        const items = await claimOpen(platform.db, free, lease);
        void loop.drain().then(resolve);
        return items;
      },
      handle: async () => void (begun += 1),
    });
    loop.wake();
  });
  await claimed;
  expect(begun).toBe(0);
  expect(await theUpgrade()).toMatchObject({ leasedUntil: null });
});

// Guarantee: supervisors and open pages learn that a periodic job hangs, not only that a queue does.
test("a job is stuck while its runs hang or wait for a lock, not while they fail or it has nothing to do", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const hang = new Promise<never>(() => undefined);
  const LOCKED = Object.assign(new Error("canceling statement"), { code: "57014" });
  Object.setPrototypeOf(LOCKED, pg.DatabaseError.prototype);
  const job = (run: () => unknown, more: Partial<Job> = {}) =>
    repeat(platform, { name: "some work", everyMs: 1_000, run, ...more });
  const jobs = {
    works: job(() => undefined),
    fails: job(() => Promise.reject(new Error("no"))),
    hangs: job(() => hang),
    hangsAlone: job(() => hang, { alone: true }),
    isLocked: job(() => Promise.reject(LOCKED)),
    isLong: job(() => hang, { longestMs: 3_600_000 }),
    isRare: job(() => undefined, { everyMs: 600_000 }),
    isDone: job(() => undefined, { untilDone: true }),
  };
  const listStuck = () => Object.entries(jobs).flatMap(([name, { isStuck }]) => (isStuck() ? [name] : []));
  await vi.advanceTimersByTimeAsync(50_000);
  expect(listStuck()).toEqual([]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(listStuck()).toEqual(["hangs", "hangsAlone", "isLocked"]);
  for (const { stop } of Object.values(jobs)) stop();
  expect(listStuck()).toEqual([]);
});
