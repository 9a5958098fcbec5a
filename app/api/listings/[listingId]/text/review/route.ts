import { submitTextInput } from "@/lib/contract/catalog/listing";
import { submitText } from "@/lib/server/moderation/submit-review";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/listings/[listingId]/text/review", {
  body: submitTextInput,
  created: true,
  run: ({ platform, member, params, body }) => submitText(platform, member, params.listingId ?? "", body),
});
