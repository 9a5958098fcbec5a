/**
 * A worker keeps an advisory lock for as long as its connection lasts. When it dies, the lock is free at once, and another worker
 * ends its leases a moment later instead of waiting until they expire.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { PoolClient } from "pg";
import { type Db, onConnection } from "./database/connect";
import { notifyWorker } from "./database/work-channel";
import {
  deleteWorkers,
  endLeasesOf,
  LEASED_TABLES,
  lockMissingWorkers,
  lockWorker,
  registerWorker,
  setStateApis,
} from "./lease-queries";
import { listStateApis } from "./environment";
import type { Platform } from "./platform";

/** A worker that only lost its connection registers again within this time. */
const GRACE_SECONDS = 2;
const RETRY_MS = 200;

export interface Presence {
  /** Null until it is registered for the first time. */
  workerId: () => number | null;
  /** Registers the worker with the connection that it keeps, and again with each that replaces it. */
  keep: (connection: PoolClient) => Promise<void>;
  /** Tells the other workers that this one gives apps another address of the state API. */
  announce: () => Promise<void>;
  /** Ends its leases when it has stopped, so that nobody takes it for dead. */
  leave: () => Promise<void>;
}

export function createPresence({
  db,
  log,
  environment,
}: Pick<Platform, "db" | "log" | "environment">): Presence {
  let workerId: number | null = null;
  let current: PoolClient | undefined;

  async function register(connection: PoolClient): Promise<void> {
    const own = onConnection(connection);
    do {
      workerId = await registerWorker(own, workerId, listStateApis(environment));
      if (await lockWorker(own, workerId)) return;
      // The server hasn't noticed yet that the last connection is gone, or another worker is checking right now.
      await sleep(RETRY_MS);
    } while (current === connection);
  }

  return {
    workerId: () => workerId,
    keep: async (connection) => {
      current = connection;
      await register(connection).catch((error: unknown) => {
        log.warn(
          { err: error },
          "the worker is not registered; if it dies, its leases only end when they expire",
        );
      });
    },
    announce: async () => {
      if (workerId !== null) await setStateApis(db, workerId, listStateApis(environment));
    },
    leave: async () => {
      const id = workerId;
      if (id !== null) await db.transaction((tx) => endWorkers(tx, [id]));
    },
  };
}

async function endWorkers(tx: Db, ids: readonly number[]): Promise<void> {
  for (const name of LEASED_TABLES) await endLeasesOf(tx, name, ids);
  await deleteWorkers(tx, ids);
  await notifyWorker(tx);
}

/** Ends the leases of workers that died, and wakes the others. */
export async function endLeasesOfDeadWorkers(
  { db, log }: Pick<Platform, "db" | "log">,
  ownId: number | null,
  graceSeconds = GRACE_SECONDS,
): Promise<void> {
  const ended = await db.transaction(async (tx) => {
    const missing = await lockMissingWorkers(tx, ownId, graceSeconds);
    const dead = missing.flatMap((worker) => (worker.dead ? [worker.id] : []));
    if (dead.length === 0) return dead;
    await endWorkers(tx, dead);
    return dead;
  });
  if (ended.length > 0) log.warn({ workers: ended }, "took over from workers that died");
}
