import { commentResolution } from "@/lib/contract/moderation/review";
import { settleThread } from "@/lib/server/moderation/comments";
import { route } from "@/lib/server/surface/web/route";

export const PUT = route("PUT /api/reviews/[reviewId]/comments/[commentId]/resolution", {
  body: commentResolution,
  run: ({ platform, actor, params, body }) =>
    settleThread(platform, actor, params.reviewId ?? "", params.commentId ?? "", body.resolved),
});
