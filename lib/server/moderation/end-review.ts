import { Problem } from "@/lib/contract/platform/problem";
import { nameSubject } from "@/lib/domain/moderation/review";
import { type Agent, nameActor } from "@/lib/domain/platform/actor";
import { moveInstallation } from "../installations/queries";
import { failUpgrade } from "../installations/upgrade-installation";
import type { Db } from "../platform/database/connect";
import { notifyWorker } from "../platform/database/work-channel";
import { notify } from "../platform/notifications/notify";
import type { Platform } from "../platform/platform";
import { recordAudit } from "../platform/record-audit";
import { cancelEvidence } from "./evidence/queue-evidence";
import { selectReview, withdrawReviewRow } from "./review-queries";
import { lockSandboxLaunches } from "./sandbox-queries";

/** Withdraws a review before it is decided. Throws NOT_FOUND for other organizations, WRONG_STATE if it is decided. */
export async function withdrawReview(platform: Platform, agent: Agent, reviewId: string): Promise<void> {
  const organizationId = agent.organization.id;
  const review = await selectReview(platform.db, reviewId);
  if (review?.organizationId !== organizationId) throw new Problem("NOT_FOUND");
  await platform.db.transaction(async (tx) => {
    if (!(await withdrawReviewRow(tx, reviewId, organizationId)))
      throw new Problem(
        "WRONG_STATE",
        "This review has already ended. Reload the page to see the moderator's decision.",
      );
    await endReview(platform, tx, review);
    await tellOfWithdrawal(tx, agent, review);
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: nameActor(agent),
      action: "review.withdraw",
      subject: `review:${reviewId}`,
      details: { listingId: review.listingId },
    });
  });
}

/**
 * Ends what runs for a review, in the transaction that decides or withdraws it: automatic checks and moderators' Test
 * Launches.
 */
export async function endReview(
  platform: Platform,
  tx: Db,
  review: { id: string; listingId: string; version: object | null },
): Promise<void> {
  await cancelEvidence(tx, review.id);
  await endSandboxLaunches(platform, tx, review);
}

/** Moderators have nothing left to decide, including those who claimed the review or commented on it. */
export async function tellOfWithdrawal(
  tx: Db,
  { organization }: Agent,
  review: { id: string; title: string; version: { number: string } | null },
  why = "",
): Promise<void> {
  await notify(tx, {
    kind: "review-submitted",
    to: { moderators: true },
    title: `${organization.name} withdrew ${nameSubject(review)}`,
    body: why,
    href: `/moderation/${review.id}`,
    subject: `review:${review.id}`,
  });
}

/** Removes the moderators' Test Launches of a listing when its review of a version ends. A worker does the rest. */
async function endSandboxLaunches(
  platform: Platform,
  tx: Db,
  review: { id: string; listingId: string; version: object | null },
): Promise<void> {
  if (review.version === null) return;
  const launched = await lockSandboxLaunches(tx, review.listingId);
  for (const { id, organizationId, state: from } of launched) {
    // Also one that is being stopped: its worker notices, and the next one removes it.
    if (!(await moveInstallation(tx, { id, organizationId, from, to: "UNINSTALLING" })))
      throw new Error(`installation ${id} changed although it is locked`);
    await failUpgrade(
      platform,
      tx,
      { id, organizationId },
      "The review ended before the new version was ready.",
    );
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: "worker",
      action: "installation.uninstall",
      subject: `installation:${id}`,
      details: { from, to: "UNINSTALLING", reviewId: review.id },
    });
  }
  if (launched.length > 0) await notifyWorker(tx);
}
