import { retireListing } from "@/lib/server/moderation/suspend-listing";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/listings/[listingId]/retire", {
  run: ({ platform, member, params }) => retireListing(platform, member, params.listingId ?? ""),
});
