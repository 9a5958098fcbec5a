import { saveTextInput } from "@/lib/contract/listing-draft";
import { readTextDraft } from "@/lib/server/listings/read-text";
import { saveText } from "@/lib/server/listings/save-text";
import { route } from "@/lib/server/web/route";

export const GET = route("GET /api/listings/[listingId]/text", {
  run: ({ platform, member, params }) => readTextDraft(platform, member, params.listingId ?? ""),
});

export const PUT = route("PUT /api/listings/[listingId]/text", {
  body: saveTextInput,
  run: ({ platform, member, params, body }) => saveText(platform, member, params.listingId ?? "", body),
});
