import type { Decision, DecisionInput } from "@/lib/contract/listing";
import { Problem } from "@/lib/contract/problem";
import type { Actor } from "@/lib/domain/actor";
import { bringsText, reviewAfter, stateAfterReview } from "@/lib/domain/listing";
import { nameSubject, PUBLISHING_ROLES, reviewPath } from "@/lib/domain/review-names";
import { recordAudit } from "../audit/record-audit";
import { applyListingText, moveListing } from "../listings/queries";
import { notify } from "../notifications/notify";
import type { Platform } from "../platform/platform";
import { explainRefusal } from "./claim-review";
import { endReview } from "./end-review";
import { decideReviewRow, verifyVersion } from "./queries";
import { requireJudge } from "./require-judge";

/**
 * Records a moderator's decision, which is final. Approving verifies the version and publishes a draft listing, or makes a
 * reviewed text public, in one transaction. Throws NOT_FOUND, NOT_ALLOWED (the moderator's own organization) or WRONG_STATE
 * (already decided, withdrawn, or claimed by another moderator).
 */
export async function decideReview(
  platform: Platform,
  moderator: Actor,
  reviewId: string,
  input: DecisionInput,
): Promise<void> {
  const review = await requireJudge(platform, moderator, reviewId);
  const { kind, listingId, listingState, organizationId, version } = review;
  const next = stateAfterReview(kind, listingState, input.decision);
  if (next === undefined)
    throw new Problem(
      "WRONG_STATE",
      `A ${listingState.toLowerCase()} listing can't be reviewed. Open the next review in the queue.`,
    );
  await platform.db.transaction(async (tx) => {
    const decided = { to: reviewAfter(input.decision), note: input.note, decidedBy: moderator.userId };
    if (!(await decideReviewRow(tx, reviewId, decided))) throw await explainRefusal(tx, moderator, reviewId);
    if (input.decision === "approve") {
      if (version !== null) await verifyVersion(tx, version.id);
      if (bringsText(kind, listingState)) await applyListingText(tx, listingId, review.text);
    }
    if (!(await moveListing(tx, listingId, listingState, next)))
      throw new Problem(
        "WRONG_STATE",
        "The listing changed while you were reviewing it. Reload the page and review it again.",
      );
    await endReview(platform, tx, review);
    await notify(tx, {
      kind: "review-moved",
      to: { organizationId, roles: PUBLISHING_ROLES },
      title: `${OUTCOMES[input.decision]} ${nameSubject(review)}`,
      body: input.note,
      href: reviewPath(review),
      subject: `review:${reviewId}`,
    });
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${moderator.userId}`,
      action: `review.${input.decision}`,
      subject: `review:${reviewId}`,
      details: {
        listingId,
        kind,
        ...(version === null ? {} : { versionId: version.id, digest: version.imageDigest }),
      },
    });
  });
}

const OUTCOMES = {
  approve: "Approved:",
  return: "Changes requested:",
  reject: "Rejected:",
} as const satisfies Record<Decision, string>;
