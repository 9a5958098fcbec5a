import type { DecisionInput } from "@/lib/contract/listing";
import { Problem } from "@/lib/contract/problem";
import type { Actor } from "@/lib/domain/actor";
import { bringsText, reviewAfter, stateAfterReview } from "@/lib/domain/listing";
import { recordAudit } from "../audit/record-audit";
import { applyListingText, moveListing } from "../listings/queries";
import type { Platform } from "../platform/platform";
import { decideReviewRow, isMemberOf, selectReview, verifyVersion } from "./queries";

/**
 * Records a moderator's decision. Approving verifies the version and publishes a draft listing, in one transaction.
 * Throws NOT_FOUND, NOT_ALLOWED (the moderator's own organization) or WRONG_STATE (already decided).
 */
export async function decideReview(
  platform: Platform,
  moderator: Actor,
  reviewId: string,
  input: DecisionInput,
): Promise<void> {
  const review = await selectReview(platform.db, reviewId);
  if (review === undefined) throw new Problem("NOT_FOUND");
  // Checks memberships, not the session's organization: a moderator of two organizations could switch.
  if (await isMemberOf(platform.db, moderator.userId, review.organizationId)) {
    throw new Problem(
      "NOT_ALLOWED",
      "This listing is your organization's. Ask another moderator to review it.",
    );
  }
  const next = stateAfterReview(review.listingState, input.decision);
  if (next === undefined)
    throw new Problem("WRONG_STATE", `A ${review.listingState.toLowerCase()} listing can't be reviewed.`);
  await platform.db.transaction(async (tx) => {
    if (!(await decideReviewRow(tx, reviewId, reviewAfter(input.decision), input.note, moderator.userId))) {
      throw new Problem(
        "WRONG_STATE",
        "Another moderator already decided this review. Reload the page to see the decision.",
      );
    }
    if (input.decision === "approve") {
      await verifyVersion(tx, review.versionId);
      if (bringsText(review.kind, review.listingState))
        await applyListingText(tx, review.listingId, review.text);
    }
    if (!(await moveListing(tx, review.listingId, review.listingState, next))) {
      throw new Problem(
        "WRONG_STATE",
        "The listing changed while you were reviewing it. Reload the page and review it again.",
      );
    }
    await recordAudit(tx, platform.keyring, {
      chain: review.organizationId,
      actor: `user:${moderator.userId}`,
      action: `review.${input.decision}`,
      subject: `review:${reviewId}`,
      details: {
        listingId: review.listingId,
        versionId: review.versionId,
        digest: review.version.imageDigest,
      },
    });
  });
}
