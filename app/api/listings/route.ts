import { listingInput } from "@/lib/contract/catalog/listing";
import { createListing } from "@/lib/server/catalog/own-listings";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/listings", {
  body: listingInput,
  created: true,
  run: ({ platform, member, body }) => createListing(platform, member, body),
});
