import { decisionInput } from "@/lib/contract/listing";
import { decideReview } from "@/lib/server/reviews/decide-review";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/reviews/[reviewId]/decision", {
  body: decisionInput,
  run: ({ platform, actor, params, body }) => decideReview(platform, actor, params.reviewId ?? "", body),
});
