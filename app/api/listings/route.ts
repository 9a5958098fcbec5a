import { listingInput } from "@/lib/contract/listing";
import { createListing } from "@/lib/server/listings/create-listing";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/listings", {
  body: listingInput,
  created: true,
  run: ({ platform, member, body }) => createListing(platform, member, body),
});
