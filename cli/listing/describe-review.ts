import type { ReviewState } from "@/lib/contract/listing";

const WORDS: Record<ReviewState, string> = {
  PENDING: "in review",
  APPROVED: "approved",
  CHANGES_REQUESTED: "changes requested",
  REJECTED: "rejected",
  WITHDRAWN: "withdrawn",
};

export function describeReview(state: ReviewState): string {
  return WORDS[state];
}
