import { REVIEW_STATES, type ReviewState } from "@/lib/contract/listing";
import { isId } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import type { Actor } from "@/lib/domain/actor";
import { searchText } from "../database/search";
import type { Platform } from "../platform/platform";
import { isMemberOf, selectQueue, selectReview, type QueueRow, type ReviewRow } from "./queries";

const PAGE = 50;

export interface ReviewQuery {
  /** From the URL, like `after`: an unknown state means PENDING, an invalid cursor the first page. */
  state?: string;
  search?: string;
  after?: string;
}

export interface ReviewPage {
  state: ReviewState;
  reviews: QueueRow[];
  /** Cursor of the next page; undefined on the last page. */
  next?: string;
}

/** The moderation queue. */
export async function listReviews(platform: Platform, query: ReviewQuery): Promise<ReviewPage> {
  const state = REVIEW_STATES.find((one) => one === query.state) ?? "PENDING";
  const search = searchText(query.search);
  const after = query.after !== undefined && isId(query.after) ? query.after : undefined;
  const rows = await selectQueue(platform.db, { state, search, after, limit: PAGE + 1 });
  const reviews = rows.slice(0, PAGE);
  return { state, reviews, next: rows.length > PAGE ? reviews.at(-1)?.id : undefined };
}

/** `own`: the listing belongs to one of the moderator's organizations, so another moderator must decide. */
export async function readReview(
  platform: Platform,
  moderator: Actor,
  reviewId: string,
): Promise<{ review: ReviewRow; own: boolean }> {
  const review = await selectReview(platform.db, reviewId);
  if (review === undefined) throw new Problem("NOT_FOUND");
  return { review, own: await isMemberOf(platform.db, moderator.userId, review.organizationId) };
}
