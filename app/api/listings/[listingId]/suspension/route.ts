import { suspensionInput } from "@/lib/contract/moderation/review";
import { reinstateListing, suspendListing } from "@/lib/server/moderation/suspend-listing";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/listings/[listingId]/suspension", {
  body: suspensionInput,
  run: ({ platform, actor, params, body }) => suspendListing(platform, actor, params.listingId ?? "", body),
});

export const DELETE = route("DELETE /api/listings/[listingId]/suspension", {
  run: ({ platform, actor, params }) => reinstateListing(platform, actor, params.listingId ?? ""),
});
