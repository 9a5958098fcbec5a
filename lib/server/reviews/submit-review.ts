import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { isReviewable } from "@/lib/domain/listing";
import { recordAudit } from "../audit/record-audit";
import { sqlStateOf, UNIQUE_VIOLATION } from "../database/connect";
import type { Platform } from "../platform/platform";
import { insertReview, selectVersionOfListing } from "./queries";

/** Submits a version for moderation. Throws NOT_FOUND for other organizations, WRONG_STATE if it can't be reviewed now. */
export async function submitReview(platform: Platform, member: Member, listingId: string, versionId: string) {
  const organizationId = member.organization.id;
  const version = await selectVersionOfListing(platform.db, organizationId, listingId, versionId);
  if (version === undefined) throw new Problem("NOT_FOUND");
  if (!isReviewable(version.listingState))
    throw new Problem("WRONG_STATE", `A ${version.listingState.toLowerCase()} listing can't be reviewed.`);
  if (version.verifiedAt !== null)
    throw new Problem("WRONG_STATE", `Version ${version.number} is already verified.`);
  return platform.db.transaction(async (tx) => {
    const reviewId = await insertReview(tx, { listingId, versionId, submittedBy: member.userId }).catch(
      (error: unknown) => {
        if (sqlStateOf(error) !== UNIQUE_VIOLATION) throw error;
        throw new Problem("WRONG_STATE", "This listing is already under review. Wait for the decision.");
      },
    );
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "review.submit",
      subject: `review:${reviewId}`,
      details: { listingId, versionId },
    });
    return { reviewId };
  });
}
