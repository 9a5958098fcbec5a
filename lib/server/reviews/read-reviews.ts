import { REVIEW_STATES, type ReviewState } from "@/lib/contract/listing";
import { Problem } from "@/lib/contract/problem";
import type { Platform } from "../platform";
import { selectReview, selectReviewsByState, type ReviewRow } from "./queries";

const PAGE = 100;

/** The moderation queue; a state that is none shows what waits. */
export async function listReviews(platform: Platform, state: string | undefined): Promise<{ state: ReviewState; reviews: ReviewRow[] }> {
  const known = REVIEW_STATES.find((one) => one === state) ?? "PENDING";
  return { state: known, reviews: await selectReviewsByState(platform.db, known, PAGE) };
}

export async function readReview(platform: Platform, reviewId: string): Promise<ReviewRow> {
  const review = await selectReview(platform.db, reviewId);
  if (review === undefined) throw new Problem("NOT_FOUND");
  return review;
}
