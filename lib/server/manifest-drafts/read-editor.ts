import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { selectOwnListing } from "../listings/queries";
import type { Platform } from "../platform/platform";
import { differsFrom } from "./draft-difference";
import { selectNewestVersion } from "./queries";
import { draftOf } from "./read-draft";

/** What the editor's page shows first. NOT_FOUND for other organizations. */
export async function readEditor(platform: Platform, member: Member, appName: string) {
  const listing = await selectOwnListing(platform.db, member.organization.id, appName);
  if (listing === undefined) throw new Problem("NOT_FOUND");
  const name = `${listing.organizationSlug}/${listing.appName}`;
  const newest = await selectNewestVersion(platform.db, listing.id);
  const draft = await draftOf(platform.db, listing.id, name, newest);
  const published = newest && {
    versionId: newest.id,
    number: newest.number,
    createdAt: newest.createdAt.toISOString(),
    differs: differsFrom(newest, draft.text),
  };
  return { listing, name, published, draft };
}
