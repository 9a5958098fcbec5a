import { saveTextInput } from "@/lib/contract/catalog/listing";
import { readTextDraft, saveText } from "@/lib/server/catalog/listing-text";
import { route } from "@/lib/server/surface/web/route";

export const GET = route("GET /api/listings/[listingId]/text", {
  run: ({ platform, member, params }) => readTextDraft(platform, member, params.listingId ?? ""),
});

export const PUT = route("PUT /api/listings/[listingId]/text", {
  body: saveTextInput,
  run: ({ platform, member, params, body }) => saveText(platform, member, params.listingId ?? "", body),
});
