import { releaseInput } from "@/lib/contract/manifest-draft";
import { toPublisher } from "@/lib/domain/actor";
import { releaseManifest } from "@/lib/server/manifest-drafts/release-manifest";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/listings/[listingId]/manifest/release", {
  body: releaseInput,
  created: true,
  run: ({ platform, member, params, body }) =>
    releaseManifest(platform, toPublisher(member), params.listingId ?? "", body),
});
