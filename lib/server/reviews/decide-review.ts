import type { VerdictInput } from "@/lib/contract/listing";
import { Problem } from "@/lib/contract/problem";
import type { Actor } from "@/lib/domain/actor";
import { reviewAfter, stateAfterReview } from "@/lib/domain/listing";
import { recordAudit } from "../audit/record-audit";
import { moveListing } from "../listings/queries";
import type { Platform } from "../platform";
import { decideReviewRow, isMemberOf, selectReview, verifyVersion } from "./queries";

/**
 * A moderator's verdict. Approving verifies the version and makes a draft public, in one transaction.
 * Throws NOT_FOUND, NOT_ALLOWED (one's own organization's listing) or WRONG_STATE (decided already).
 */
export async function decideReview(
  platform: Platform,
  moderator: Actor,
  reviewId: string,
  input: VerdictInput,
): Promise<void> {
  const review = await selectReview(platform.db, reviewId);
  if (review === undefined) throw new Problem("NOT_FOUND");
  // By membership, not by the organization of this session: a moderator of two organizations could switch.
  if (await isMemberOf(platform.db, moderator.userId, review.organizationId)) {
    throw new Problem(
      "NOT_ALLOWED",
      "This is your own organization's listing. Another moderator has to decide.",
    );
  }
  const next = stateAfterReview(review.listingState, input.verdict);
  if (next === undefined)
    throw new Problem("WRONG_STATE", `A ${review.listingState} listing cannot be reviewed.`);
  await platform.db.transaction(async (tx) => {
    if (!(await decideReviewRow(tx, reviewId, reviewAfter(input.verdict), input.note, moderator.userId))) {
      throw new Problem("WRONG_STATE", "Another moderator decided this review. Reload to see the verdict.");
    }
    if (input.verdict === "approve") await verifyVersion(tx, review.versionId);
    if (!(await moveListing(tx, review.listingId, review.listingState, next))) {
      throw new Problem("WRONG_STATE", "The listing changed meanwhile. Reload, and look again.");
    }
    await recordAudit(tx, platform.keyring, {
      chain: review.organizationId,
      actor: `user:${moderator.userId}`,
      action: `review.${input.verdict}`,
      subject: `review:${reviewId}`,
      details: {
        listingId: review.listingId,
        versionId: review.versionId,
        digest: review.version.imageDigest,
      },
    });
  });
}
