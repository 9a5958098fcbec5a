import { describe, expect, test } from "vitest";
import {
  type Decision,
  DECISIONS,
  LISTING_STATES,
  type ListingState,
  type ReviewKind,
} from "@/lib/contract/catalog/listing";
import {
  bringsText,
  isReviewable,
  reviewAfter,
  stateAfterModeration,
  stateAfterRetirement,
  stateAfterReview,
} from "./listing";

/** The state after each decision, in the order of `DECISIONS`: approve, return, reject. */
const REVIEWS: Record<ReviewKind, Record<ListingState, (ListingState | undefined)[]>> = {
  VERSION: {
    DRAFT: ["PUBLIC", "DRAFT", "DRAFT"],
    PUBLIC: ["PUBLIC", "PUBLIC", "PUBLIC"],
    SUSPENDED: ["SUSPENDED", "SUSPENDED", "SUSPENDED"],
    RETIRED: [undefined, undefined, undefined],
  },
  TEXT: {
    DRAFT: ["DRAFT", "DRAFT", "DRAFT"],
    PUBLIC: ["PUBLIC", "PUBLIC", "PUBLIC"],
    SUSPENDED: ["SUSPENDED", "SUSPENDED", "SUSPENDED"],
    RETIRED: [undefined, undefined, undefined],
  },
};

// Guarantee: only the approval of a version publishes, only a moderator's command suspends or reinstates, and nothing brings
// a retired listing back. Cell by cell.
describe.each(LISTING_STATES)("a %s listing", (state) => {
  test.each(Object.entries(REVIEWS))("after a decision on a %s", (kind, states) => {
    const after = (decision: Decision) =>
      stateAfterReview(kind === "TEXT" ? "TEXT" : "VERSION", state, decision);
    expect(DECISIONS.map(after)).toEqual(states[state]);
  });

  test("after a moderator's command", () => {
    expect([stateAfterModeration(state, "suspend"), stateAfterModeration(state, "reinstate")]).toEqual([
      state === "PUBLIC" ? "SUSPENDED" : undefined,
      state === "SUSPENDED" ? "PUBLIC" : undefined,
    ]);
  });

  test("can be retired once, for good", () => {
    expect(stateAfterRetirement(state)).toBe(state === "RETIRED" ? undefined : "RETIRED");
  });

  test("can be reviewed unless it is retired", () => {
    expect(isReviewable(state)).toBe(state !== "RETIRED");
  });

  test("gets the text of an approved text, and of the version that publishes it", () => {
    expect([bringsText("TEXT", state), bringsText("VERSION", state)]).toEqual([true, state === "DRAFT"]);
  });
});

test("each decision ends its review in a different state", () => {
  expect(DECISIONS.map(reviewAfter)).toEqual(["APPROVED", "CHANGES_REQUESTED", "REJECTED"]);
});
