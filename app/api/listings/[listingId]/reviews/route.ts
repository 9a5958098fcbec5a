import { submitReviewInput } from "@/lib/contract/listing";
import { submitReview } from "@/lib/server/reviews/submit-review";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/listings/[listingId]/reviews", {
  body: submitReviewInput,
  created: true,
  run: ({ platform, member, params, body }) => submitReview(platform, member, params.listingId ?? "", body),
});
