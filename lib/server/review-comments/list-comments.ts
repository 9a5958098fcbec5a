import type { CommentView } from "@/lib/contract/review";
import type { Actor } from "@/lib/domain/actor";
import { editableUntil } from "@/lib/domain/review-comment";
import type { Platform } from "../platform/platform";
import { selectComments, type CommentRow } from "./queries";
import { requireReader } from "./require-participant";

/** A review's comments, oldest first. Throws NOT_FOUND for everybody but moderators and the publisher. */
export async function listComments(
  platform: Platform,
  actor: Actor,
  reviewId: string,
): Promise<{ comments: CommentView[] }> {
  await requireReader(platform, actor, reviewId);
  const rows = await selectComments(platform.db, reviewId);
  return { comments: rows.map((row) => viewComment(row, actor.userId)) };
}

function viewComment({ authorId, ...row }: CommentRow, userId: string): CommentView {
  return {
    ...row,
    mine: authorId === userId,
    createdAt: row.createdAt.toISOString(),
    editedAt: row.editedAt?.toISOString() ?? null,
    editableUntil: editableUntil(row.createdAt).toISOString(),
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
  };
}
