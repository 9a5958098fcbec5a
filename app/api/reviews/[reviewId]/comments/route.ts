import { commentInput } from "@/lib/contract/review";
import { listComments } from "@/lib/server/review-comments/list-comments";
import { writeComment } from "@/lib/server/review-comments/write-comment";
import { route } from "@/lib/server/web/route";

export const GET = route("GET /api/reviews/[reviewId]/comments", {
  run: ({ platform, actor, params }) => listComments(platform, actor, params.reviewId ?? ""),
});

export const POST = route("POST /api/reviews/[reviewId]/comments", {
  body: commentInput,
  created: true,
  run: ({ platform, actor, params, body }) => writeComment(platform, actor, params.reviewId ?? "", body),
});
