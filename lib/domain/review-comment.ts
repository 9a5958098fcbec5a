/** Comments on a review: who may write as whom, for how long a comment can be edited, and threads. */
import type { Actor } from "./actor";

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
