/**
 * What a worker does again and again. A job is work with a period. A pool is a job that does queued work: it claims rows, keeps
 * their leases while it works on them, and releases the ones that it didn't start.
 */
import { v7 } from "uuid";
import { type Database, sqlStateOf } from "./database/connect";
import { extendLeases, giveBackLeases, type Lease, type Leased, type LeasedTable } from "./lease-queries";
import type { Platform } from "./platform";
import { reportFailure, reportSuccess } from "./database/repeated-failures";

/** Another worker takes over within this time at the latest; after a crash, much earlier: see `presence.ts`. */
export const LEASE_SECONDS = 15;

const PAUSE_MS = 4;

/** A pool that couldn't look for work for this long is stuck. A statement takes no longer than this: see `connect.ts`. */
const STUCK_MS = 30_000;

/** A periodic job of which no run got through for this long, beyond its period, is stuck, unless it says `longestMs`. */
const LONGEST_MS = 60_000;

/** One row in a worker's table of jobs. */
export interface Job {
  name: string;
  everyMs: number;
  /** If it fails, this is logged with the job's name, and the next run may succeed. */
  run: () => unknown;
  /** The notification that runs it at once; see `work-channel.ts`. */
  on?: "work" | "start";
  /** A run that takes longer than the period takes the place of the next one. Without it, runs may overlap. */
  alone?: boolean;
  /** Runs at once, and no more after it has succeeded. */
  untilDone?: boolean;
  /** Stops beginning anything. Resolves when everything in progress has ended. */
  drain?: () => Promise<void>;
  /** How long a run may take, if that is more than a minute. */
  longestMs?: number;
  /** Of a pool, which knows better: its runs have not got through lately. */
  isStuck?: () => boolean;
}

export interface Repeated {
  /** Runs it now. Never throws. */
  run: () => Promise<void>;
  /** Lets a run in progress end. */
  stop: () => void;
  /** Its runs hang, or the database made them wait until they were given up; or this process was frozen and no run has ended yet. */
  isStuck: () => boolean;
}

export function repeat({ log }: Pick<Platform, "log">, job: Job): Repeated {
  let isRunning = false;
  let isStopped = false;
  let gotThroughAt = performance.now();
  const timer = setInterval(() => void run(), job.everyMs);
  const stop = () => {
    isStopped = true;
    clearInterval(timer);
  };
  async function run(): Promise<void> {
    if (job.alone === true && isRunning) return;
    isRunning = true;
    try {
      await job.run();
      gotThroughAt = performance.now();
      if (job.untilDone === true) stop();
      // A run of a pool only begins to look.
      if (job.isStuck === undefined) reportSuccess(log, job.name);
    } catch (error) {
      if (!isGivenUp(error)) gotThroughAt = performance.now();
      reportFailed(log, job.name, error);
    } finally {
      isRunning = false;
    }
  }
  if (job.untilDone === true) void run();
  const longest = job.everyMs + (job.longestMs ?? LONGEST_MS);
  return {
    run,
    stop,
    isStuck: job.isStuck ?? (() => !isStopped && performance.now() - gotThroughAt > longest),
  };
}

/** Logs that work of this name failed: once, then once a minute. */
export function reportFailed(log: Platform["log"], job: string, err: unknown): void {
  reportFailure(log, job, { err, facts: { job }, message: "work failed and will be retried" });
}

const GIVEN_UP = ["57014", "55P03"];

/** A statement waited for others until its time was over. */
function isGivenUp(error: unknown): boolean {
  return GIVEN_UP.includes(sqlStateOf(error) ?? "");
}

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
  /** It could not look for work lately, or this process was frozen and hasn't looked again yet. */
  isStuck: () => boolean;
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
  let lookedAt = performance.now();
  const onError = (error: unknown) => reportFailed(platform.log, pool.name, error);
  const onItemError = (error: unknown) => reportFailed(platform.log, `an item of ${pool.name}`, error);
  const extending = repeat(platform, {
    name: `leases of ${pool.name}`,
    everyMs: (pool.leaseSeconds * 1000) / 3,
    run: async () => {
      if (active.size > 0) await extendLeases(platform.db, pool.name, [...active.keys()], pool.leaseSeconds);
    },
  });

  async function look(): Promise<void> {
    do {
      again = false;
      const free = pool.limit - active.size;
      if (free <= 0) lookedAt = performance.now();
      if (closed || free <= 0) return;
      const claimed = await pool.claim(free, {
        claim: v7(),
        seconds: pool.leaseSeconds,
        workerId: workerId(),
      });
      lookedAt = performance.now();
      reportSuccess(platform.log, pool.name);
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
      .catch(onItemError)
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
    extending.stop();
  }

  return {
    wake: () => {
      pool.noteNews?.();
      lookAgain();
    },
    drain,
    isStuck: () => !closed && performance.now() - lookedAt > STUCK_MS,
  };
}
