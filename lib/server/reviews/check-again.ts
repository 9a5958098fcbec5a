import type { EvidenceView } from "@/lib/contract/evidence";
import { Problem } from "@/lib/contract/problem";
import type { Actor } from "@/lib/domain/actor";
import { recordAudit } from "../audit/record-audit";
import { queueEvidence } from "../evidence/queue-evidence";
import { readEvidence } from "../evidence/read-evidence";
import type { Platform } from "../platform/platform";
import { requireReader } from "../review-comments/require-participant";
import { requireJudge } from "./require-judge";

/** The evidence of a review, for moderators and its publisher. Throws NOT_FOUND for everybody else. */
export async function readEvidenceAs(
  platform: Platform,
  actor: Actor,
  reviewId: string,
): Promise<{ evidence: EvidenceView | null }> {
  await requireReader(platform, actor, reviewId);
  return { evidence: await readEvidence(platform, reviewId) };
}

/** Runs the automatic checks of a version again. Throws NOT_FOUND, NOT_ALLOWED, or WRONG_STATE (ended, or they run). */
export async function checkAgain(platform: Platform, moderator: Actor, reviewId: string): Promise<void> {
  const review = await requireJudge(platform, moderator, reviewId);
  if (review.state !== "PENDING" || review.version === null)
    throw new Problem("WRONG_STATE", "Only a version that is under review can be checked again.");
  await platform.db.transaction(async (tx) => {
    if (!(await queueEvidence(tx, reviewId)))
      throw new Problem(
        "WRONG_STATE",
        "The checks are running already, or the review has ended. Reload the page.",
      );
    await recordAudit(tx, platform.keyring, {
      chain: review.organizationId,
      actor: `user:${moderator.userId}`,
      action: "review.check-again",
      subject: `review:${reviewId}`,
    });
  });
}
