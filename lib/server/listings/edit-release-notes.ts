import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { recordAudit } from "../audit/record-audit";
import type { Platform } from "../platform/platform";
import { hasVersion } from "../versions/queries";
import { selectOwnText, writeReleaseNotes } from "./text-queries";

/**
 * Says what is new in a version, until a moderator has it. Throws NOT_FOUND, or WRONG_STATE for a version that is verified
 * or in review.
 */
export async function editReleaseNotes(
  platform: Platform,
  member: Member,
  listingId: string,
  versionId: string,
  notes: string,
): Promise<void> {
  const organizationId = member.organization.id;
  await platform.db.transaction(async (tx) => {
    const listing = await selectOwnText(tx, organizationId, listingId, true);
    if (listing === undefined || !(await hasVersion(tx, listingId, versionId)))
      throw new Problem("NOT_FOUND");
    if (!(await writeReleaseNotes(tx, organizationId, listingId, versionId, notes)))
      throw new Problem(
        "WRONG_STATE",
        "A moderator has these release notes already. Withdraw the review to change them; those of a verified version stay as they are.",
      );
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "version.edit-notes",
      subject: `version:${versionId}`,
      details: { listingId, characters: notes.length },
    });
  });
}
