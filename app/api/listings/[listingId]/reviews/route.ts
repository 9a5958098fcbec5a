import { submitReviewInput } from "@/lib/contract/catalog/listing";
import { submitReview } from "@/lib/server/moderation/submit-review";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/listings/[listingId]/reviews", {
  body: submitReviewInput,
  created: true,
  run: ({ platform, member, params, body }) => submitReview(platform, member, params.listingId ?? "", body),
});
