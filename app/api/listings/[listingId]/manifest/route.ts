import { DRAFT_BODY_BYTES, saveDraftInput } from "@/lib/contract/manifest-draft";
import { readDraft } from "@/lib/server/manifest-drafts/read-draft";
import { saveDraft } from "@/lib/server/manifest-drafts/save-draft";
import { publisherOf } from "@/lib/server/versions/publisher";
import { route } from "@/lib/server/web/route";

export const GET = route("GET /api/listings/[listingId]/manifest", {
  run: ({ platform, member, params }) => readDraft(platform, publisherOf(member), params.listingId ?? ""),
});

export const PUT = route("PUT /api/listings/[listingId]/manifest", {
  body: saveDraftInput,
  bodyBytes: DRAFT_BODY_BYTES,
  run: ({ platform, member, params, body }) =>
    saveDraft(platform, publisherOf(member), params.listingId ?? "", body),
});
