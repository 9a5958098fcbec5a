import { listSettings } from "@/lib/contract/manifest-terms";
import type { ManifestDraft, VersionManifest } from "@/lib/contract/manifest-draft";
import { Problem } from "@/lib/contract/problem";
import type { Member, Publisher } from "@/lib/domain/actor";
import { checkManifest } from "@/lib/domain/manifest/check/check-manifest";
import { compareManifests } from "@/lib/domain/manifest/compare/compare-manifests";
import { newManifestText } from "@/lib/domain/manifest/outline/new-entry";
import type { Db } from "../database/connect";
import { selectOwnListing } from "../listings/queries";
import type { Platform } from "../platform/platform";
import { selectNewestVersion, selectVersionManifest, type NewestVersion } from "../versions/queries";
import { selectActorName, selectDraft, selectDraftListing } from "./queries";

/** The data of the editor's page. NOT_FOUND for other organizations. */
export async function readEditor(platform: Platform, member: Member, appName: string) {
  const listing = await selectOwnListing(platform.db, member.organization.id, appName);
  if (listing === undefined) throw new Problem("NOT_FOUND");
  const name = `${listing.organizationSlug}/${listing.appName}`;
  const newest = await selectNewestVersion(platform.db, listing.id);
  const draft = await loadDraft(platform.db, listing.id, name, newest);
  const published = newest && {
    versionId: newest.id,
    number: newest.number,
    createdAt: newest.createdAt.toISOString(),
    differs: differsFrom(newest, draft.text),
    names: {
      setting: listSettings(newest.manifest).map((setting) => setting.name),
      mapping: (newest.manifest.core?.fields ?? []).map((field) => field.name),
    },
  };
  return { listing, name, published, draft };
}

/** The saved draft, or the text that a first draft starts from. NOT_FOUND for other organizations. */
export async function readDraft(
  platform: Platform,
  publisher: Publisher,
  listingId: string,
): Promise<ManifestDraft> {
  const listing = await selectDraftListing(platform.db, publisher.organizationId, listingId);
  if (listing === undefined) throw new Problem("NOT_FOUND");
  const name = `${publisher.organizationSlug}/${listing.appName}`;
  return loadDraft(platform.db, listingId, name, await selectNewestVersion(platform.db, listingId));
}

/** The caller has checked that the listing is the publisher's. */
export async function loadDraft(
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
  const baseVersionId = chooseBase(draft, newest);
  const updatedBy = (await selectActorName(db, draft.updatedBy)) ?? null;
  return { text, revision, baseVersionId, updatedAt: updatedAt.toISOString(), updatedBy };
}

/** The version to compare the draft with. A newer version with the same content becomes its base. */
export function chooseBase(
  draft: { text: string; baseVersionId: string | null },
  newest: NewestVersion | undefined,
): string | null {
  if (newest === undefined || newest.id === draft.baseVersionId) return draft.baseVersionId;
  return differsFrom(newest, draft.text) ? draft.baseVersionId : newest.id;
}

/** Whether the text differs from the published version. Layout and version number don't count. */
export function differsFrom(published: NewestVersion, text: string): boolean {
  if (text === published.manifestText) return false;
  const { manifest } = checkManifest(text);
  return manifest === undefined || compareManifests(published.manifest, manifest).length > 0;
}

/** The manifest's source text in one version of a listing. NOT_FOUND for other organizations. */
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
