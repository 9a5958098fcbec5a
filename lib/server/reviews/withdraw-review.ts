import { Problem } from "@/lib/contract/problem";
import { nameActor, type Agent } from "@/lib/domain/actor";
import { recordAudit } from "../audit/record-audit";
import type { Platform } from "../platform/platform";
import { endReview, tellOfWithdrawal } from "./end-review";
import { selectReview, withdrawReviewRow } from "./queries";

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
