import { Problem } from "@/lib/contract/problem";
import { toPublisher, type Member, type Publisher } from "@/lib/domain/actor";
import { recordAudit } from "../audit/record-audit";
import type { Platform } from "../platform/platform";
import { requireOwnApp } from "../versions/accept-manifest";
import { hasVersion, selectVersionId } from "../versions/queries";
import { findListing } from "../versions/store-version";
import { selectOwnText, writeReleaseNotes } from "./text-queries";

/**
 * Saves the release notes of a version, until it is submitted for review. Throws NOT_FOUND, or WRONG_STATE for a
 * version that is verified or in review.
 */
export function editReleaseNotes(
  platform: Platform,
  member: Member,
  listingId: string,
  versionId: string,
  notes: string,
): Promise<void> {
  return writeNotes(platform, toPublisher(member), listingId, versionId, notes);
}

/** The same from the command line. @param appName `<org-name>/<app-name>` */
export async function writeNotesOfNumber(
  platform: Platform,
  publisher: Publisher,
  appName: string,
  number: string,
  notes: string,
): Promise<void> {
  const { name, app } = requireOwnApp(publisher, appName);
  const { id } = await findListing(platform, publisher, app);
  const versionId = await selectVersionId(platform.db, id, number);
  if (versionId === undefined)
    throw new Problem(
      "NOT_FOUND",
      `${name} has no version ${number}. Publish it first, or check the number.`,
    );
  await writeNotes(platform, publisher, id, versionId, notes);
}

async function writeNotes(
  platform: Platform,
  { organizationId, actor }: Publisher,
  listingId: string,
  versionId: string,
  notes: string,
): Promise<void> {
  await platform.db.transaction(async (tx) => {
    const listing = await selectOwnText(tx, organizationId, listingId, true);
    if (listing === undefined || !(await hasVersion(tx, listingId, versionId)))
      throw new Problem("NOT_FOUND");
    if (!(await writeReleaseNotes(tx, organizationId, listingId, versionId, notes)))
      throw new Problem(
        "WRONG_STATE",
        "These release notes were submitted for review and can't be changed. Withdraw the review to change them. Release notes of a verified version are final.",
      );
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor,
      action: "version.edit-notes",
      subject: `version:${versionId}`,
      details: { listingId, characters: notes.length },
    });
  });
}
