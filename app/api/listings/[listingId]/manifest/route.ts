import { DRAFT_BODY_BYTES, saveDraftInput } from "@/lib/contract/manifest-draft";
import { readDraft } from "@/lib/server/manifest-drafts/read-draft";
import { saveDraft } from "@/lib/server/manifest-drafts/save-draft";
import { toPublisher } from "@/lib/domain/actor";
import { route } from "@/lib/server/web/route";

export const GET = route("GET /api/listings/[listingId]/manifest", {
  run: ({ platform, member, params }) => readDraft(platform, toPublisher(member), params.listingId ?? ""),
});

export const PUT = route("PUT /api/listings/[listingId]/manifest", {
  body: saveDraftInput,
  bodyBytes: DRAFT_BODY_BYTES,
  run: ({ platform, member, params, body }) =>
    saveDraft(platform, toPublisher(member), params.listingId ?? "", body),
});
