import { withdrawReview } from "@/lib/server/moderation/end-review";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/reviews/[reviewId]/withdraw", {
  run: ({ platform, member, params }) => withdrawReview(platform, member, params.reviewId ?? ""),
});
