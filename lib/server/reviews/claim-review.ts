import { Problem } from "@/lib/contract/problem";
import type { Actor } from "@/lib/domain/actor";
import { nameSubject, PUBLISHING_ROLES, reviewPath } from "@/lib/domain/review-names";
import { claimEnd, currentClaim } from "@/lib/domain/review-queue";
import { recordAudit } from "../audit/record-audit";
import type { Db } from "../database/connect";
import { notify } from "../notifications/notify";
import type { Platform } from "../platform/platform";
import { claimReviewRow, releaseReviewRow, selectReview } from "./queries";
import { requireJudge } from "./require-judge";

/** Claims a review for a day. Throws NOT_FOUND, NOT_ALLOWED, or WRONG_STATE with the name of the moderator who was first. */
export async function claimReview(platform: Platform, moderator: Actor, reviewId: string): Promise<void> {
  const review = await requireJudge(platform, moderator, reviewId);
  await platform.db.transaction(async (tx) => {
    if (!(await claimReviewRow(tx, reviewId, moderator.userId)))
      throw await explainRefusal(tx, moderator, reviewId);
    await notify(tx, {
      kind: "review-moved",
      to: { organizationId: review.organizationId, roles: PUBLISHING_ROLES },
      title: `A moderator started the review of ${nameSubject(review)}`,
      href: reviewPath(review),
      subject: `review:${reviewId}`,
    });
    await recordAudit(tx, platform.keyring, {
      chain: review.organizationId,
      actor: `user:${moderator.userId}`,
      action: "review.claim",
      subject: `review:${reviewId}`,
    });
  });
}

/** Releases a review to the queue. Throws NOT_FOUND, NOT_ALLOWED, or WRONG_STATE if it was not claimed. */
export async function releaseReview(platform: Platform, moderator: Actor, reviewId: string): Promise<void> {
  const { organizationId } = await requireJudge(platform, moderator, reviewId);
  await platform.db.transaction(async (tx) => {
    if (!(await releaseReviewRow(tx, reviewId, moderator.userId)))
      throw new Problem("WRONG_STATE", "You have not claimed this review. Reload the page to see who has.");
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${moderator.userId}`,
      action: "review.release",
      subject: `review:${reviewId}`,
    });
  });
}

/** Why a review can't be claimed or decided by this moderator now. Reads it again: somebody else was first. */
export async function explainRefusal(db: Db, moderator: Actor, reviewId: string): Promise<Problem> {
  const review = await selectReview(db, reviewId);
  if (review === undefined) return new Problem("NOT_FOUND");
  const { state, decidedBy, claimer, claimedAt } = review;
  if (state === "WITHDRAWN")
    return new Problem("WRONG_STATE", "The publisher withdrew this review. Open the next one in the queue.");
  if (state !== "PENDING")
    return new Problem(
      "WRONG_STATE",
      `${decidedBy ?? "Another moderator"} already decided this review. Reload the page to see the decision.`,
    );
  const claim = currentClaim(review, new Date());
  if (claim === undefined || claim === moderator.userId || claimedAt === null)
    return new Problem("WRONG_STATE", "The review changed in the meantime. Reload the page and try again.");
  return new Problem(
    "WRONG_STATE",
    `${claimer ?? "Another moderator"} claimed this review. Choose another review, or ask them to release it. The claim ends automatically at ${claimEnd(claimedAt).toISOString().slice(0, 16).replace("T", " ")} UTC.`,
  );
}
