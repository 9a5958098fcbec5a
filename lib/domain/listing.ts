/** How a listing moves; exhaustive tables, so that a new state does not compile until it is answered. */
import type { Decision, ListingState, ReviewState } from "@/lib/contract/listing";

/** Only verification moves a draft. A later version of a public listing is verified without moving it. */
const AFTER_REVIEW = {
  DRAFT: { approve: "PUBLIC", return: "DRAFT", reject: "DRAFT" },
  PUBLIC: { approve: "PUBLIC", return: "PUBLIC", reject: "PUBLIC" },
  SUSPENDED: { approve: undefined, return: undefined, reject: undefined },
  RETIRED: { approve: undefined, return: undefined, reject: undefined },
} as const satisfies Record<ListingState, Record<Decision, ListingState | undefined>>;

/** Undefined when a listing in this state cannot be reviewed. */
export function stateAfterReview(state: ListingState, decision: Decision): ListingState | undefined {
  return AFTER_REVIEW[state][decision];
}

export function isReviewable(state: ListingState): boolean {
  return AFTER_REVIEW[state].approve !== undefined;
}

const REVIEW_AFTER = {
  approve: "APPROVED",
  return: "CHANGES_REQUESTED",
  reject: "REJECTED",
} as const satisfies Record<Decision, ReviewState>;

export function reviewAfter(decision: Decision): ReviewState {
  return REVIEW_AFTER[decision];
}
