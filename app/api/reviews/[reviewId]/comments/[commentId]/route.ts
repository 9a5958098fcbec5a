import { commentEdit } from "@/lib/contract/review";
import { editOwnComment } from "@/lib/server/review-comments/write-comment";
import { route } from "@/lib/server/web/route";

export const PUT = route("PUT /api/reviews/[reviewId]/comments/[commentId]", {
  body: commentEdit,
  run: ({ platform, actor, params, body }) =>
    editOwnComment(platform, actor, params.reviewId ?? "", params.commentId ?? "", body.body),
});
