import { decisionInput } from "@/lib/contract/catalog/listing";
import { decideReview } from "@/lib/server/moderation/decide-review";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/reviews/[reviewId]/decision", {
  body: decisionInput,
  run: ({ platform, actor, params, body }) => decideReview(platform, actor, params.reviewId ?? "", body),
});
