import { readVersionManifest } from "@/lib/server/manifest-drafts/read-draft";
import { toPublisher } from "@/lib/domain/actor";
import { route } from "@/lib/server/web/route";

export const GET = route("GET /api/listings/[listingId]/versions/[versionId]/manifest", {
  run: ({ platform, member, params }) =>
    readVersionManifest(platform, toPublisher(member), params.listingId ?? "", params.versionId ?? ""),
});
