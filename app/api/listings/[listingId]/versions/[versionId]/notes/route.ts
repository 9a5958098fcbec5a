import { releaseNotesInput } from "@/lib/contract/listing-draft";
import { editReleaseNotes } from "@/lib/server/listings/edit-release-notes";
import { route } from "@/lib/server/web/route";

export const PUT = route("PUT /api/listings/[listingId]/versions/[versionId]/notes", {
  body: releaseNotesInput,
  run: ({ platform, member, params: { listingId = "", versionId = "" }, body }) =>
    editReleaseNotes(platform, member, listingId, versionId, body.notes),
});
