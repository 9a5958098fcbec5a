import { retireListing } from "@/lib/server/suspensions/retire-listing";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/listings/[listingId]/retire", {
  run: ({ platform, member, params }) => retireListing(platform, member, params.listingId ?? ""),
});
