import type { Decision, DecisionInput } from "@/lib/contract/catalog/listing";
import type { EvidenceView } from "@/lib/contract/moderation/review";
import { Problem } from "@/lib/contract/platform/problem";
import { bringsText, reviewAfter, stateAfterReview } from "@/lib/domain/catalog/listing";
import {
  claimEnd,
  currentClaim,
  nameSubject,
  PUBLISHING_ROLES,
  reviewPath,
} from "@/lib/domain/moderation/review";
import type { Actor } from "@/lib/domain/platform/actor";
import { relativeTime } from "@/lib/domain/platform/relative-time";
import { applyListingText, moveListing } from "../catalog/listing-queries";
import type { Db } from "../platform/database/connect";
import { notify } from "../platform/notifications/notify";
import type { Platform } from "../platform/platform";
import { recordAudit } from "../platform/record-audit";
import { requireReader } from "./comments";
import { endReview } from "./end-review";
import { queueEvidence, readEvidence } from "./evidence/queue-evidence";
import {
  claimReviewRow,
  decideReviewRow,
  isMemberOf,
  releaseReviewRow,
  type ReviewRow,
  selectReview,
  verifyVersion,
} from "./review-queries";

const MINUTE_MS = 60_000;

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

/** Why a review can't be claimed or decided by this moderator now. Reads it again, because somebody else was first. */
async function explainRefusal(db: Db, moderator: Actor, reviewId: string): Promise<Problem> {
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
  const now = Date.now();
  const claim = currentClaim(review, new Date(now));
  if (claim === undefined || claim === moderator.userId || claimedAt === null)
    return new Problem("WRONG_STATE", "The review changed in the meantime. Reload the page and try again.");
  const end = new Date(Math.max(claimEnd(claimedAt).getTime(), now + MINUTE_MS));
  return new Problem(
    "WRONG_STATE",
    `${claimer ?? "Another moderator"} claimed this review. Choose another review, or ask them to release it. The claim ends automatically ${relativeTime(end, now)}.`,
  );
}

/** The evidence of a review, for moderators and its publisher. Throws NOT_FOUND for everybody else. */
export async function readEvidenceAs(
  platform: Platform,
  actor: Actor,
  reviewId: string,
): Promise<{ evidence: EvidenceView | null }> {
  await requireReader(platform, actor, reviewId);
  return { evidence: await readEvidence(platform, reviewId) };
}

/**
 * Refuses an approval while the automatic checks run, unless the moderator says that they are not needed. Throws NOT_FOUND, NOT_ALLOWED,
 * or WRONG_STATE.
 */
export async function requireChecked(
  platform: Platform,
  moderator: Actor,
  reviewId: string,
  { decision, unchecked }: DecisionInput,
): Promise<void> {
  await requireJudge(platform, moderator, reviewId);
  if (decision !== "approve" || unchecked === true) return;
  const evidence = await readEvidence(platform, reviewId);
  if (evidence?.state === "QUEUED" || evidence?.state === "RUNNING")
    throw new Problem(
      "WRONG_STATE",
      "The automatic checks are still running. Wait for their results, or approve without them.",
    );
}

/**
 * Runs the automatic checks of a version again. Throws NOT_FOUND, NOT_ALLOWED, or WRONG_STATE (ended, claimed by another moderator, or they
 * run).
 */
export async function checkAgain(platform: Platform, moderator: Actor, reviewId: string): Promise<void> {
  const review = await requireJudge(platform, moderator, reviewId);
  if (review.state !== "PENDING" || review.version === null)
    throw new Problem("WRONG_STATE", "Only a version that is under review can be checked again.");
  const claim = currentClaim(review, new Date());
  if (claim !== undefined && claim !== moderator.userId)
    throw await explainRefusal(platform.db, moderator, reviewId);
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

/** A review that this moderator may judge. Throws NOT_FOUND, or NOT_ALLOWED for their own organization's app. */
export async function requireJudge(
  platform: Platform,
  moderator: Actor,
  reviewId: string,
): Promise<ReviewRow> {
  const review = await selectReview(platform.db, reviewId);
  if (review === undefined) throw new Problem("NOT_FOUND");
  await refuseOwn(platform, moderator, review.organizationId);
  return review;
}

/** Checks memberships, not the session's organization: a moderator of two organizations could switch. */
export async function refuseOwn(platform: Platform, moderator: Actor, organizationId: string): Promise<void> {
  if (await isMemberOf(platform.db, moderator.userId, organizationId))
    throw new Problem(
      "NOT_ALLOWED",
      "This listing belongs to your organization, so you can't moderate it. Ask another moderator.",
    );
}
