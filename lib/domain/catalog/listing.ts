/** The states of a listing. Exhaustive tables, so that a new state does not compile until it is handled. */
import type { Decision, ListingState, ReviewKind, ReviewState } from "@/lib/contract/catalog/listing";
import type { Agent } from "../platform/actor";
import { setManifestVersion } from "./manifest/version";

/**
 * Only a review publishes a draft. Reviews of later versions do not change the state: a suspended listing's publisher
 * can have a fixed version approved before a moderator reinstates it.
 */
const AFTER_REVIEW = {
  DRAFT: { approve: "PUBLIC", return: "DRAFT", reject: "DRAFT" },
  PUBLIC: { approve: "PUBLIC", return: "PUBLIC", reject: "PUBLIC" },
  SUSPENDED: { approve: "SUSPENDED", return: "SUSPENDED", reject: "SUSPENDED" },
  RETIRED: { approve: undefined, return: undefined, reject: undefined },
} as const satisfies Record<ListingState, Record<Decision, ListingState | undefined>>;

/** Undefined if a listing in this state cannot be reviewed. A review of only the text never publishes a draft. */
export function stateAfterReview(
  kind: ReviewKind,
  state: ListingState,
  decision: Decision,
): ListingState | undefined {
  const next = AFTER_REVIEW[state][decision];
  return kind === "TEXT" && next !== undefined ? state : next;
}

export function isReviewable(state: ListingState): boolean {
  return AFTER_REVIEW[state].approve !== undefined;
}

/**
 * Whether an approval makes the text of the review public. A later version changes no text: meanwhile, a newer one may have
 * been approved.
 */
export function bringsText(kind: ReviewKind, state: ListingState): boolean {
  return kind === "TEXT" || state === "DRAFT";
}

/** What moderators do to a listing outside of reviews. */
export type ModerationCommand = "suspend" | "reinstate";

const AFTER_MODERATION = {
  DRAFT: { suspend: undefined, reinstate: undefined },
  PUBLIC: { suspend: "SUSPENDED", reinstate: undefined },
  SUSPENDED: { suspend: undefined, reinstate: "PUBLIC" },
  RETIRED: { suspend: undefined, reinstate: undefined },
} as const satisfies Record<ListingState, Record<ModerationCommand, ListingState | undefined>>;

/** Undefined if the command does not apply to a listing in this state. */
export function stateAfterModeration(
  state: ListingState,
  command: ModerationCommand,
): ListingState | undefined {
  return AFTER_MODERATION[state][command];
}

/** What a publisher can do to its listing permanently. */
const AFTER_RETIREMENT = {
  DRAFT: "RETIRED",
  PUBLIC: "RETIRED",
  SUSPENDED: "RETIRED",
  RETIRED: undefined,
} as const satisfies Record<ListingState, ListingState | undefined>;

/** Undefined if it is retired already. */
export function stateAfterRetirement(state: ListingState): ListingState | undefined {
  return AFTER_RETIREMENT[state];
}

const REVIEW_AFTER = {
  approve: "APPROVED",
  return: "CHANGES_REQUESTED",
  reject: "REJECTED",
} as const satisfies Record<Decision, ReviewState>;

export function reviewAfter(decision: Decision): ReviewState {
  return REVIEW_AFTER[decision];
}

/** Logs are the publisher's: they may name what other customers send. Customers see the reasons of failures instead. */
export function mayReadLogs({ organization }: Agent, publisherId: string): boolean {
  return organization.id === publisherId && organization.role !== "operator";
}

interface Content {
  imageDigest: string;
  manifestText: string;
}

/** The same image and manifest, apart from the version number: a moderator would see the same again. */
export function hasSameContent(one: Content, other: Content): boolean {
  return one.imageDigest === other.imageDigest && isSameManifest(one.manifestText, other.manifestText);
}

/** Whether two manifests' texts differ in nothing but the version number. */
export function isSameManifest(one: string, other: string): boolean {
  return one === other || setManifestVersion(one, "0.0.0") === setManifestVersion(other, "0.0.0");
}
