import { toPublisher } from "@/lib/domain/platform/actor";
import { readVersionManifest } from "@/lib/server/catalog/publish/manifest-draft";
import { route } from "@/lib/server/surface/web/route";

export const GET = route("GET /api/listings/[listingId]/versions/[versionId]/manifest", {
  run: ({ platform, member, params }) =>
    readVersionManifest(platform, toPublisher(member), params.listingId ?? "", params.versionId ?? ""),
});
