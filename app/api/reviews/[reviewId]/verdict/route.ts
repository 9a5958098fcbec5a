import { verdictInput } from "@/lib/contract/listing";
import { decideReview } from "@/lib/server/reviews/decide-review";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/reviews/[reviewId]/verdict", {
  body: verdictInput,
  run: ({ platform, actor, params, body }) => decideReview(platform, actor, params.reviewId ?? "", body),
});
