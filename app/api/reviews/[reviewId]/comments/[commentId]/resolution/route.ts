import { commentResolution } from "@/lib/contract/review";
import { settleThread } from "@/lib/server/review-comments/write-comment";
import { route } from "@/lib/server/web/route";

export const PUT = route("PUT /api/reviews/[reviewId]/comments/[commentId]/resolution", {
  body: commentResolution,
  run: ({ platform, actor, params, body }) =>
    settleThread(platform, actor, params.reviewId ?? "", params.commentId ?? "", body.resolved),
});
