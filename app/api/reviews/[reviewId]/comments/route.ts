import { commentInput } from "@/lib/contract/moderation/review";
import { listComments, writeComment } from "@/lib/server/moderation/comments";
import { route } from "@/lib/server/surface/web/route";

export const GET = route("GET /api/reviews/[reviewId]/comments", {
  run: ({ platform, actor, params }) => listComments(platform, actor, params.reviewId ?? ""),
});

export const POST = route("POST /api/reviews/[reviewId]/comments", {
  body: commentInput,
  created: true,
  run: ({ platform, actor, params, body }) => writeComment(platform, actor, params.reviewId ?? "", body),
});
