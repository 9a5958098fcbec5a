import { releaseInput } from "@/lib/contract/catalog/manifest-draft";
import { toPublisher } from "@/lib/domain/platform/actor";
import { releaseManifest } from "@/lib/server/catalog/publish/release-manifest";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/listings/[listingId]/manifest/release", {
  body: releaseInput,
  created: true,
  run: ({ platform, member, params, body }) =>
    releaseManifest(platform, toPublisher(member), params.listingId ?? "", body),
});
