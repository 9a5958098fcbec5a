import { DRAFT_BODY_BYTES, saveDraftInput } from "@/lib/contract/catalog/manifest-draft";
import { toPublisher } from "@/lib/domain/platform/actor";
import { readDraft, saveDraft } from "@/lib/server/catalog/publish/manifest-draft";
import { route } from "@/lib/server/surface/web/route";

export const GET = route("GET /api/listings/[listingId]/manifest", {
  run: ({ platform, member, params }) => readDraft(platform, toPublisher(member), params.listingId ?? ""),
});

export const PUT = route("PUT /api/listings/[listingId]/manifest", {
  body: saveDraftInput,
  bodyBytes: DRAFT_BODY_BYTES,
  run: ({ platform, member, params, body }) =>
    saveDraft(platform, toPublisher(member), params.listingId ?? "", body),
});
