import { withdrawReview } from "@/lib/server/reviews/withdraw-review";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/reviews/[reviewId]/withdraw", {
  run: ({ platform, member, params }) => withdrawReview(platform, member, params.reviewId ?? ""),
});
