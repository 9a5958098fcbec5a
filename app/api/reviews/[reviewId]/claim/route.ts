import { claimReview, releaseReview } from "@/lib/server/moderation/decide-review";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/reviews/[reviewId]/claim", {
  run: ({ platform, actor, params }) => claimReview(platform, actor, params.reviewId ?? ""),
});

export const DELETE = route("DELETE /api/reviews/[reviewId]/claim", {
  run: ({ platform, actor, params }) => releaseReview(platform, actor, params.reviewId ?? ""),
});
