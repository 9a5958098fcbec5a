import type { Db } from "../database/connect";
import { notifyWorker } from "../database/work-channel";
import { endInstallations, selectOfEvidence } from "./customer-queries";
import { cancelEvidenceRow, upsertEvidence } from "./queries";

/** Queues the automatic checks of a review of a version. False if they already wait or run, or the review has ended. */
export async function queueEvidence(tx: Db, reviewId: string): Promise<boolean> {
  const queued = await upsertEvidence(tx, reviewId);
  if (queued) await notifyWorker(tx);
  return queued;
}

/** Ends the automatic checks of a review that ends, and their state keys. The worker that runs them stops the container. */
export async function cancelEvidence(tx: Db, reviewId: string): Promise<void> {
  const evidenceId = await cancelEvidenceRow(tx, reviewId);
  if (evidenceId !== undefined) await endInstallations(tx, await selectOfEvidence(tx, evidenceId));
}
