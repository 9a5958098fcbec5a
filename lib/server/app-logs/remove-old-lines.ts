import { setTimeout as sleep } from "node:timers/promises";
import type { Platform } from "../platform/platform";
import { deleteOldLines, selectOverfullLogs } from "./queries";

interface Options {
  batchSize: number;
  pauseMs: number;
  /** Stops after the current batch. */
  signal?: AbortSignal;
}

/**
 * Deletes the lines that were written before `cutoff`, and the oldest ones of versions whose log is larger than a version may
 * have. Returns how many. Workers that do it at the same time skip each other's versions.
 */
export async function removeOldLines(
  { db, environment }: Platform,
  cutoff: Date,
  { batchSize, pauseMs, signal }: Options,
): Promise<number> {
  const mostBytes = Math.floor(environment.PLATFORM_KEEP_LOGS_MB * 1024 * 1024);
  let removed = 0;
  for (const versionId of await selectOverfullLogs(db, cutoff, mostBytes)) {
    let deleted = batchSize;
    while (deleted === batchSize && signal?.aborted !== true) {
      deleted = await db.transaction((tx) => deleteOldLines(tx, versionId, cutoff, mostBytes, batchSize));
      removed += deleted;
      await sleep(pauseMs);
    }
  }
  return removed;
}
