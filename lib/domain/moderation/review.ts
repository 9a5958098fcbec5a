/** When reviews are due, and how long a claim keeps one for its moderator. Working days are in UTC. */
import type { ReviewKind } from "@/lib/contract/catalog/listing";
import type { Actor } from "../platform/actor";
import { nextMidnight } from "../platform/zoned-time";

/** In working days, Monday to Friday. A change to only the text is reviewed in minutes. */
const WORKING_DAYS = { VERSION: 3, TEXT: 1 } as const satisfies Record<ReviewKind, number>;

const DAY_MS = 24 * 3_600_000;

/** A claim ends after this time, so that a review never waits for a moderator who is away. */
export const CLAIM_MS = DAY_MS;

/** The same time of day, the kind's number of working days later. Weekends don't count. */
export function dueDate(submittedAt: Date, kind: ReviewKind): Date {
  const due = new Date(submittedAt);
  for (let left: number = WORKING_DAYS[kind]; left > 0;) {
    due.setUTCDate(due.getUTCDate() + 1);
    if (due.getUTCDay() !== 0 && due.getUTCDay() !== 6) left -= 1;
  }
  return due;
}

/** When a claim ends automatically. */
export function claimEnd(claimedAt: Date): Date {
  return new Date(claimedAt.getTime() + CLAIM_MS);
}

interface Claim {
  claimedBy: string | null;
  claimedAt: Date | null;
}

/** The claim of a review; undefined if it was never claimed, released, or claimed more than a day ago. */
export function currentClaim({ claimedBy, claimedAt }: Claim, now: Date): string | undefined {
  if (claimedBy === null || claimedAt === null || claimEnd(claimedAt) <= now) return undefined;
  return claimedBy;
}

export const DUE_FILTERS = ["overdue", "today", "week"] as const;
export type DueFilter = (typeof DUE_FILTERS)[number];

/** Reviews due before the returned time match the filter: before now, until midnight, or within seven days. */
export function dueBefore(filter: DueFilter, now: Date, zone: string): Date {
  if (filter === "overdue") return now;
  if (filter === "week") return new Date(now.getTime() + 7 * DAY_MS);
  return nextMidnight(now, zone);
}

export const AGE_FILTERS = ["1", "3", "7"] as const;
export type AgeFilter = (typeof AGE_FILTERS)[number];

/** Reviews submitted before the returned time are older than that many days. */
export function submittedBefore(days: AgeFilter, now: Date): Date {
  return new Date(now.getTime() - Number(days) * DAY_MS);
}

// Comments on a review: who may write as whom, for how long a comment can be edited, and threads.

/** Long enough to fix a typing error; later, others may have answered what was written. */
const EDIT_MS = 15 * 60_000;

export function editableUntil(createdAt: Date): Date {
  return new Date(createdAt.getTime() + EDIT_MS);
}

/** Comments written after the returned time can be edited. */
export function editableSince(now: Date): Date {
  return new Date(now.getTime() - EDIT_MS);
}

/** `moderator` and `publisher` are the two sides of a conversation. `observer`: may only read. */
export type Participation = "moderator" | "publisher" | "observer";

/**
 * How somebody takes part in a review of `publisherId`'s listing; undefined if they may not even know of it. `belongs`: the
 * actor is a member of that organization, in which they may not be working now. A moderator never speaks as one there.
 */
export function participationIn(
  { moderator, organization }: Pick<Actor, "moderator" | "organization">,
  publisherId: string,
  belongs: boolean,
): Participation | undefined {
  if (organization?.id === publisherId && organization.role !== "operator") return "publisher";
  if (!moderator) return undefined;
  return belongs ? "observer" : "moderator";
}

interface Threaded {
  id: string;
  parentId: string | null;
}

export interface Thread<Comment> {
  root: Comment;
  replies: Comment[];
}

/** In the order of the comments. A reply whose root is missing is left out. */
export function toThreads<Comment extends Threaded>(comments: readonly Comment[]): Thread<Comment>[] {
  return comments
    .filter(({ parentId }) => parentId === null)
    .map((root) => ({ root, replies: comments.filter(({ parentId }) => parentId === root.id) }));
}

/** How notifications name a review, and where they link. */

/** The publisher's roles that take part in reviews: operators can't open them. */
export const PUBLISHING_ROLES = ["owner", "publisher"] as const;

/** `version 1.4.0 of VIN autofill`, or `the text of VIN autofill`. */
export function nameSubject(review: { title: string; version: { number: string } | null }): string {
  const { title, version } = review;
  return version === null ? `the text of ${title}` : `version ${version.number} of ${title}`;
}

/** The publisher's page of a review. */
export function reviewPath({ appName, id }: { appName: string; id: string }): string {
  return `/publish/${appName}/reviews/${id}`;
}

const FEW_REVIEWS = 8;

/** Search and filters are shown of a long queue: of a few reviews, all are in view. */
export function isLongQueue(shown: { isFiltered: boolean; isFirst: boolean; reviews: number }): boolean {
  return shown.isFiltered || !shown.isFirst || shown.reviews > FEW_REVIEWS;
}

/** A part of a review's page. */
export type ReviewPart =
  "text" | "manifest" | "notes" | "evidence" | "egress" | "image" | "rights" | "settings";

interface Reviewed {
  kind: ReviewKind;
  /** There is a version that was approved before, which the manifest is compared with. */
  wasApproved: boolean;
  /** The text differs from the one that was approved before. */
  isTextChanged: boolean;
}

/** The parts of a review's page in their order: what changed since the last approval comes first, and what didn't, last. */
export function orderParts({ kind, wasApproved, isTextChanged }: Reviewed): ReviewPart[] {
  if (kind === "TEXT") return ["text", "notes"];
  const parts: (ReviewPart | false)[] = [
    isTextChanged && "text",
    wasApproved && "manifest",
    ...(["notes", "evidence", "egress", "image", "rights"] as const),
    !wasApproved && "manifest",
    "settings",
    !isTextChanged && "text",
  ];
  return parts.filter((part) => part !== false);
}
