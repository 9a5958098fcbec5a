import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { recordAudit } from "../audit/record-audit";
import type { Platform } from "../platform/platform";
import { endReview, tellOfWithdrawal } from "./end-review";
import { selectReview, withdrawReviewRow } from "./queries";

/** Withdraws a review before it is decided. Throws NOT_FOUND for other organizations, WRONG_STATE if it is decided. */
export async function withdrawReview(platform: Platform, member: Member, reviewId: string): Promise<void> {
  const organizationId = member.organization.id;
  const review = await selectReview(platform.db, reviewId);
  if (review?.organizationId !== organizationId) throw new Problem("NOT_FOUND");
  await platform.db.transaction(async (tx) => {
    if (!(await withdrawReviewRow(tx, reviewId, organizationId)))
      throw new Problem(
        "WRONG_STATE",
        "This review has already ended. Reload the page to see the moderator's decision.",
      );
    await endReview(platform, tx, review);
    await tellOfWithdrawal(tx, member, review);
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "review.withdraw",
      subject: `review:${reviewId}`,
      details: { listingId: review.listingId },
    });
  });
}
