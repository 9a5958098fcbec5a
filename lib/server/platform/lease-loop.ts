/**
 * The one loop in which a worker does queued work: it claims rows, keeps their leases while it works on them, and releases
 * the ones that it didn't start. Each kind of work is a pool that says what to claim and what to do.
 */
import { v7 } from "uuid";
import type { Database } from "./database/connect";
import { extendLeases, giveBackLeases, type Lease, type Leased, type LeasedTable } from "./lease-queries";
import type { Platform } from "./platform";

/** Another worker takes over within this time at the latest; after a crash, much earlier: see `presence.ts`. */
export const LEASE_SECONDS = 15;

const PAUSE_MS = 4;

export interface Pool<Item extends Leased> {
  /** Also the name of its table. */
  name: LeasedTable;
  /** How many items a worker works on at once. */
  limit: number;
  leaseSeconds: number;
  /** Claims up to `free` due items for a claim. `skip locked`: concurrent workers claim different ones. */
  claim: (free: number, lease: Lease) => Promise<Item[]>;
  /** Settles the item, which ends its lease. If it throws, the platform failed, and the lease expires. */
  handle: (item: Item) => Promise<void>;
  /** There may be new work since the last claim. */
  noteNews?: () => void;
}

export interface LeaseLoop {
  /** Looks for new work now. Cheap while it is already looking. */
  wake: () => void;
  /** Stops claiming. Resolves when everything in progress has ended. */
  drain: () => Promise<void>;
}

export function runPool<Item extends Leased>(
  platform: Pick<Platform, "log"> & Pick<Database, "db">,
  pool: Pool<Item>,
  workerId: () => number | null = () => null,
): LeaseLoop {
  const active = new Map<Item, Promise<void>>();
  let looking: Promise<void> | undefined;
  let soon: NodeJS.Timeout | undefined;
  let again = false;
  let closed = false;
  const onError = (error: unknown) =>
    platform.log.error({ err: error, pool: pool.name }, "work failed and will be retried");
  const stopExtending = repeat(platform, (pool.leaseSeconds * 1000) / 3, async () => {
    if (active.size > 0) await extendLeases(platform.db, pool.name, [...active.keys()], pool.leaseSeconds);
  });

  async function look(): Promise<void> {
    do {
      again = false;
      const free = pool.limit - active.size;
      if (closed || free <= 0) return;
      const claimed = await pool.claim(free, {
        claim: v7(),
        seconds: pool.leaseSeconds,
        workerId: workerId(),
      });
      if (closed) return giveBack(claimed);
      for (const item of claimed) begin(item);
    } while (again);
  }

  async function giveBack(claimed: Item[]): Promise<void> {
    if (claimed.length > 0) await giveBackLeases(platform.db, pool.name, claimed);
  }

  function begin(item: Item): void {
    const work = pool
      .handle(item)
      .catch(onError)
      .finally(() => {
        active.delete(item);
        lookSoon();
      });
    active.set(item, work);
  }

  /** Waits a few milliseconds for more lanes to become free, unless enough of them already are. */
  function lookSoon(): void {
    if (pool.limit - active.size >= pool.limit / 4) return lookAgain();
    soon ??= setTimeout(lookAgain, PAUSE_MS);
  }

  function lookAgain(): void {
    clearTimeout(soon);
    soon = undefined;
    again = true;
    if (closed || looking !== undefined) return;
    looking = look()
      .catch(onError)
      .finally(() => {
        looking = undefined;
        // It was called after the last claim.
        if (again) lookAgain();
      });
  }

  async function drain(): Promise<void> {
    closed = true;
    clearTimeout(soon);
    await looking;
    await Promise.all(active.values());
    stopExtending();
  }

  return {
    wake: () => {
      pool.noteNews?.();
      lookAgain();
    },
    drain,
  };
}

/** Repeats a sign of life until the returned function is called. If one fails, the next may succeed. */
export function repeat(
  platform: Pick<Platform, "log">,
  everyMs: number,
  sign: () => Promise<unknown>,
): () => void {
  const timer = setInterval(() => {
    sign().catch((error: unknown) => platform.log.warn({ err: error }, "a claim could not be extended"));
  }, everyMs);
  return () => clearInterval(timer);
}
