import { commentEdit } from "@/lib/contract/moderation/review";
import { editOwnComment } from "@/lib/server/moderation/comments";
import { route } from "@/lib/server/surface/web/route";

export const PUT = route("PUT /api/reviews/[reviewId]/comments/[commentId]", {
  body: commentEdit,
  run: ({ platform, actor, params, body }) =>
    editOwnComment(platform, actor, params.reviewId ?? "", params.commentId ?? "", body.body),
});
