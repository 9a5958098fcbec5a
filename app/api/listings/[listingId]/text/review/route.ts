import { submitTextInput } from "@/lib/contract/listing-draft";
import { submitText } from "@/lib/server/reviews/submit-text";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/listings/[listingId]/text/review", {
  body: submitTextInput,
  created: true,
  run: ({ platform, member, params, body }) => submitText(platform, member, params.listingId ?? "", body),
});
