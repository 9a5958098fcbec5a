import { releaseInput } from "@/lib/contract/manifest-draft";
import { publisherOf } from "@/lib/server/versions/publisher";
import { releaseManifest } from "@/lib/server/versions/release-manifest";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/listings/[listingId]/manifest/release", {
  body: releaseInput,
  created: true,
  run: ({ platform, member, params, body }) =>
    releaseManifest(platform, publisherOf(member), params.listingId ?? "", body.revision),
});
