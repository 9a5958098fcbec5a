/** Removes blobs that no version names, of publications that failed or never ended, and uploads that nobody continued. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Platform } from "../platform/platform";
import { openStore } from "./open-store";
import { deleteLostImages, deleteOldClaims, deleteOldUploads, deleteUnused } from "./queries";
import { removeStaged } from "./staged-blobs";

/** Small, because a batch is removed within its transaction. */
const BATCH = 50;

/**
 * Removes what no publication has touched since `before`. Each row is locked while its blob is removed, so a publication that
 * needs the blob waits, and then stores it again. Returns how many blobs were removed.
 */
export async function collectBlobs(
  { db, environment }: Platform,
  before: Date,
  { pauseMs, signal }: { pauseMs: number; signal?: AbortSignal },
): Promise<number> {
  const store = openStore(environment);
  let removed = 0;
  await db.transaction((tx) => deleteLostImages(tx));
  for (let claims = BATCH; claims === BATCH && signal?.aborted !== true;)
    claims = await db.transaction((tx) => deleteOldClaims(tx, before, BATCH));
  for (let batch = BATCH; batch === BATCH && signal?.aborted !== true;) {
    batch = await db.transaction(async (tx) => {
      const blobs = await deleteUnused(tx, before, BATCH);
      for (const blob of blobs) await store.remove(blob);
      return blobs.length;
    });
    removed += batch;
    if (batch === BATCH) await sleep(pauseMs);
  }
  return removed;
}

/** Removes uploads that nobody has touched since `before`, with the bytes that have arrived. Returns how many. */
export async function removeOldUploads(
  { db, environment }: Platform,
  before: Date,
  { pauseMs, signal }: { pauseMs: number; signal?: AbortSignal },
): Promise<number> {
  let removed = 0;
  for (let batch = BATCH; batch === BATCH && signal?.aborted !== true;) {
    batch = await db.transaction(async (tx) => {
      const uploads = await deleteOldUploads(tx, before, BATCH);
      for (const upload of uploads) await removeStaged(environment, upload);
      return uploads.length;
    });
    removed += batch;
    if (batch === BATCH) await sleep(pauseMs);
  }
  return removed;
}
