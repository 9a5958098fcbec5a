import type { Db } from "../database/connect";
import { notifyWorker } from "../database/work-channel";
import { upsertEvidence } from "./queries";

/** Queues the automatic checks of a review of a version. False if they already wait or run. */
export async function queueEvidence(tx: Db, reviewId: string): Promise<boolean> {
  const queued = await upsertEvidence(tx, reviewId);
  if (queued) await notifyWorker(tx);
  return queued;
}
