import type { Manifest } from "@/lib/contract/catalog/manifest";
import type { EvidenceView } from "@/lib/contract/moderation/review";
import type { EgressView } from "@/lib/domain/runtime/egress/view-egress";
import type { Db } from "../../platform/database/connect";
import { notifyWorker } from "../../platform/database/work-channel";
import type { Platform } from "../../platform/platform";
import { forgetEgress } from "../../runtime/egress-count-queries";
import { readEgress } from "../../runtime/read-egress";
import { endInstallations, selectOfEvidence } from "./customer-queries";
import { cancelEvidenceRow, selectEvidence, upsertEvidence } from "./queries";

/** Queues the automatic checks of a review of a version. False if they already wait or run, or the review has ended. */
export async function queueEvidence(tx: Db, reviewId: string): Promise<boolean> {
  const evidenceId = await upsertEvidence(tx, reviewId);
  if (evidenceId === undefined) return false;
  await forgetEgress(tx, evidenceId);
  await notifyWorker(tx);
  return true;
}

/** Ends the automatic checks of a review that ends, and their state keys. The worker that runs them stops the container. */
export async function cancelEvidence(tx: Db, reviewId: string): Promise<void> {
  const evidenceId = await cancelEvidenceRow(tx, reviewId);
  if (evidenceId !== undefined) await endInstallations(tx, await selectOfEvidence(tx, evidenceId));
}

/** What the automatic checks of a review found so far; null if it was never checked, such as a review of only the text. */
export async function readEvidence(platform: Platform, reviewId: string): Promise<EvidenceView | null> {
  const found = await selectEvidence(platform.db, reviewId);
  if (found === undefined) return null;
  const { id: _id, queuedAt, endedAt, ...rest } = found;
  return { ...rest, queuedAt: queuedAt.toISOString(), endedAt: endedAt?.toISOString() ?? null };
}

/** Which hosts the version tried to reach during its automatic checks; null if it was never checked. */
export async function readCheckedEgress(
  platform: Platform,
  reviewId: string,
  manifest: Manifest,
): Promise<EgressView | null> {
  const found = await selectEvidence(platform.db, reviewId);
  if (found === undefined) return null;
  const sandbox = platform.environment.PLATFORM_SANDBOX_CORE_URL;
  return readEgress(platform, {
    ...{ which: { versionId: found.id }, reader: "reviewer", manifest },
    cores: sandbox === "" ? [] : [sandbox],
  });
}
