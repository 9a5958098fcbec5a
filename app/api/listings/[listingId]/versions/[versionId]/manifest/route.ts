import { readVersionManifest } from "@/lib/server/manifest-drafts/read-version-manifest";
import { publisherOf } from "@/lib/server/versions/publisher";
import { route } from "@/lib/server/web/route";

export const GET = route("GET /api/listings/[listingId]/versions/[versionId]/manifest", {
  run: ({ platform, member, params }) =>
    readVersionManifest(platform, publisherOf(member), params.listingId ?? "", params.versionId ?? ""),
});
