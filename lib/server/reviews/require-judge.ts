import { Problem } from "@/lib/contract/problem";
import type { Actor } from "@/lib/domain/actor";
import type { Platform } from "../platform/platform";
import { isMemberOf, selectReview, type ReviewRow } from "./queries";

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
