import { releaseNotesInput } from "@/lib/contract/catalog/listing";
import { editReleaseNotes } from "@/lib/server/catalog/listing-text";
import { route } from "@/lib/server/surface/web/route";

export const PUT = route("PUT /api/listings/[listingId]/versions/[versionId]/notes", {
  body: releaseNotesInput,
  run: ({ platform, member, params: { listingId = "", versionId = "" }, body }) =>
    editReleaseNotes(platform, member, listingId, versionId, body.notes),
});
