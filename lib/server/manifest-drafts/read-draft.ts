import type { ManifestDraft, VersionManifest } from "@/lib/contract/manifest-draft";
import { Problem } from "@/lib/contract/problem";
import { newManifestText } from "@/lib/domain/manifest/outline/new-entry";
import type { Db } from "../database/connect";
import type { Platform } from "../platform/platform";
import type { Member, Publisher } from "@/lib/domain/actor";
import {
  type NewestVersion,
  selectActorName,
  selectDraft,
  selectDraftListing,
  selectNewestVersion,
  selectVersionManifest,
} from "./queries";
import { checkManifest } from "@/lib/domain/manifest/check/check-manifest";
import { compareManifests } from "@/lib/domain/manifest/compare/compare-manifests";
import { selectOwnListing } from "../listings/queries";

/** What the editor starts from: the draft, or what it would be made of. NOT_FOUND for other organizations. */
export async function readDraft(
  platform: Platform,
  publisher: Publisher,
  listingId: string,
): Promise<ManifestDraft> {
  const listing = await selectDraftListing(platform.db, publisher.organizationId, listingId);
  if (listing === undefined) throw new Problem("NOT_FOUND");
  const name = `${publisher.organizationSlug}/${listing.appName}`;
  return draftOf(platform.db, listingId, name, await selectNewestVersion(platform.db, listingId));
}

/** The draft of a listing that is the caller's to see. */
export async function draftOf(
  db: Db,
  listingId: string,
  name: string,
  newest: NewestVersion | undefined,
): Promise<ManifestDraft> {
  const draft = await selectDraft(db, listingId);
  if (draft === undefined) {
    const text = newest?.manifestText ?? newManifestText(name);
    return { text, revision: 0, baseVersionId: newest?.id ?? null, updatedAt: null, updatedBy: null };
  }
  const { text, revision, updatedAt } = draft;
  const baseVersionId = baseOf(draft, newest);
  const updatedBy = (await selectActorName(db, draft.updatedBy)) ?? null;
  return { text, revision, baseVersionId, updatedAt: updatedAt.toISOString(), updatedBy };
}

/** A newer version that says the same leaves nothing to compare: the draft goes on from it. */
export function baseOf(
  draft: { text: string; baseVersionId: string | null },
  newest: NewestVersion | undefined,
): string | null {
  if (newest === undefined || newest.id === draft.baseVersionId) return draft.baseVersionId;
  return differsFrom(newest, draft.text) ? draft.baseVersionId : newest.id;
}

/** Does this text say something else than the published version? Layout and the version number do not count. */
export function differsFrom(
  published: Pick<NewestVersion, "manifest" | "manifestText">,
  text: string,
): boolean {
  if (text === published.manifestText) return false;
  const { manifest } = checkManifest(text);
  return manifest === undefined || compareManifests(published.manifest, manifest).length > 0;
}

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

/** The manifest of one of the listing's versions, as its source text. NOT_FOUND for other organizations. */
export async function readVersionManifest(
  platform: Platform,
  publisher: Publisher,
  listingId: string,
  versionId: string,
): Promise<VersionManifest> {
  const found = await selectVersionManifest(platform.db, publisher.organizationId, listingId, versionId);
  if (found === undefined) throw new Problem("NOT_FOUND");
  return found;
}
