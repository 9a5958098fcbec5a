import { Problem } from "@/lib/contract/platform/problem";
import type { Member } from "@/lib/domain/platform/actor";
import type { Platform } from "../platform/platform";
import { recordAudit } from "../platform/record-audit";
import { deleteListing, selectDraftContents } from "./draft-queries";
import { selectOwnText } from "./listing-queries";

/** What goes with a draft, as far as its confirmation names it. Undefined: it can't be deleted, only retired. */
export async function readDeletable(platform: Platform, listing: { id: string }) {
  const { isUntouched, versions, hasManifestDraft } = await selectDraftContents(platform.db, listing.id);
  return isUntouched ? { versions, hasManifestDraft } : undefined;
}

/**
 * Deletes the draft of a listing that nobody but its organization ever saw, with its versions; its name is free again. Throws
 * NOT_FOUND for other organizations, and WRONG_STATE for a listing that was public, submitted for review or launched: others
 * may refer to it.
 */
export async function deleteDraft(platform: Platform, member: Member, listingId: string): Promise<void> {
  const { id: organizationId, slug } = member.organization;
  await platform.db.transaction(async (tx) => {
    const listing = await selectOwnText(tx, organizationId, listingId, true);
    if (listing === undefined) throw new Problem("NOT_FOUND");
    const { isUntouched, versions } = await selectDraftContents(tx, listingId);
    if (!isUntouched)
      throw new Problem(
        "WRONG_STATE",
        "Only a draft that was never submitted for review and never launched can be deleted. Retire this listing instead.",
      );
    await deleteListing(tx, listingId);
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "listing.delete",
      subject: `listing:${listingId}`,
      details: { name: `${slug}/${listing.appName}`, title: listing.text.title, versions },
    });
  });
}
