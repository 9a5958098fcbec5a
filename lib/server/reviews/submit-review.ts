import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { isReviewable } from "@/lib/domain/listing";
import { recordAudit } from "../audit/record-audit";
import { sqlStateOf, UNIQUE_VIOLATION } from "../database/connect";
import type { Platform } from "../platform";
import { insertReview, selectVersionOfListing } from "./queries";

/** Asks moderation to verify one version. Throws NOT_FOUND for what is not one's own, WRONG_STATE when it makes no sense. */
export async function submitReview(platform: Platform, member: Member, listingId: string, versionId: string) {
  const organizationId = member.organization.id;
  const version = await selectVersionOfListing(platform.db, organizationId, listingId, versionId);
  if (version === undefined) throw new Problem("NOT_FOUND");
  if (!isReviewable(version.listingState))
    throw new Problem("WRONG_STATE", `A ${version.listingState} listing cannot be reviewed.`);
  if (version.verifiedAt !== null)
    throw new Problem("WRONG_STATE", `Version ${version.number} is verified already.`);
  return platform.db.transaction(async (tx) => {
    const reviewId = await insertReview(tx, { listingId, versionId, submittedBy: member.userId }).catch(
      (error: unknown) => {
        if (sqlStateOf(error) !== UNIQUE_VIOLATION) throw error;
        throw new Problem("WRONG_STATE", "This listing is under review already. Wait for the verdict.");
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
