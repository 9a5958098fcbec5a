import type { Manifest } from "@/lib/contract/catalog/manifest";
import type {
  ManifestDraft,
  SavedDraft,
  SaveDraftInput,
  VersionManifest,
} from "@/lib/contract/catalog/manifest-draft";
import { listSettings } from "@/lib/contract/platform/manifest-terms";
import { Problem } from "@/lib/contract/platform/problem";
import { checkManifest } from "@/lib/domain/catalog/manifest/check-manifest";
import { compareManifests } from "@/lib/domain/catalog/manifest/compare-manifests";
import { newManifestText } from "@/lib/domain/catalog/manifest/entry";
import { compareVersions, setManifestVersion } from "@/lib/domain/catalog/manifest/version";
import type { Member, Publisher } from "@/lib/domain/platform/actor";
import { relativeTime } from "@/lib/domain/platform/relative-time";
import type { Db } from "../../platform/database/connect";
import type { Platform } from "../../platform/platform";
import { recordAudit } from "../../platform/record-audit";
import { selectOwnListing } from "../listing-queries";
import { requireOpen } from "../store-version";
import { hasVersion, type NewestVersion, selectNewestVersion, selectOwnVersion } from "../version-queries";
import {
  lockDraftListing,
  selectActorName,
  selectDraft,
  selectDraftListing,
  writeDraft,
} from "./manifest-draft-queries";

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
  const found = await selectOwnVersion(platform.db, publisher.organizationId, listingId, versionId);
  if (found === undefined) throw new Problem("NOT_FOUND");
  return { versionId: found.id, number: found.number, text: found.manifestText };
}

/** Saves any text, valid or not. Throws NOT_FOUND, WRONG_STATE for a retired listing, STALE_REVISION, BAD_INPUT. */
export async function saveDraft(
  platform: Platform,
  publisher: Publisher,
  listingId: string,
  input: SaveDraftInput,
): Promise<SavedDraft> {
  const { text, revision, baseVersionId } = input;
  return platform.db.transaction(async (tx) => {
    await requireDraftListing(tx, publisher, listingId);
    if (baseVersionId !== null && !(await hasVersion(tx, listingId, baseVersionId))) throw unknownBase();
    return storeDraft(platform, tx, publisher, { listingId, text, baseVersionId }, revision);
  });
}

/** Locks the publisher's own listing until the transaction ends. Throws WRONG_STATE if it is retired. */
export async function requireDraftListing(
  tx: Db,
  publisher: Publisher,
  listingId: string,
  exclusive = false,
) {
  const listing = await lockDraftListing(tx, publisher.organizationId, listingId, exclusive);
  if (listing === undefined) throw new Problem("NOT_FOUND");
  requireOpen(listing.state);
  return listing;
}

interface DraftContent {
  listingId: string;
  text: string;
  baseVersionId: string | null;
}

/** Overwrites revision `expected` (null: any) and records it. A draft that is already saved is not written again. */
export async function storeDraft(
  platform: Platform,
  tx: Db,
  publisher: Publisher,
  content: DraftContent,
  expected: number | null,
): Promise<SavedDraft> {
  const written = await writeDraft(tx, { ...content, updatedBy: publisher.actor }, expected);
  if (written === undefined) return requireSaved(tx, content);
  const { listingId, text, baseVersionId } = content;
  const { revision, updatedAt } = written;
  const updatedBy = (await selectActorName(tx, publisher.actor)) ?? null;
  await recordAudit(tx, platform.keyring, {
    chain: publisher.organizationId,
    actor: publisher.actor,
    action: "manifest-draft.save",
    subject: `listing:${listingId}`,
    details: { revision, over: expected ?? "any", baseVersionId, characters: text.length },
  });
  return { revision, baseVersionId, updatedAt: updatedAt.toISOString(), updatedBy };
}

/** A save that is repeated because its response was lost finds its own text. Anything else is someone else's change. */
async function requireSaved(tx: Db, { listingId, text, baseVersionId }: DraftContent): Promise<SavedDraft> {
  const draft = await selectDraft(tx, listingId);
  if (draft === undefined) throw staleRevision();
  const updatedBy = (await selectActorName(tx, draft.updatedBy)) ?? null;
  if (draft.text !== text || draft.baseVersionId !== baseVersionId)
    throw staleRevision(updatedBy, draft.updatedAt);
  return { revision: draft.revision, baseVersionId, updatedAt: draft.updatedAt.toISOString(), updatedBy };
}

interface PublishedManifest {
  listingId: string;
  versionId: string;
  manifest: Manifest;
  manifestText: string;
}

/**
 * Updates the draft to a version that was just published. A draft with the same content gets its number; one without edits
 * since its own version becomes its text. Returns the draft's revision, or undefined if the draft has edits of its own
 * (the editor then shows both) or none was saved. The transaction has locked the listing.
 */
export async function followVersion(
  platform: Platform,
  tx: Db,
  publisher: Publisher,
  published: PublishedManifest,
): Promise<number | undefined> {
  const { listingId, versionId, manifest, manifestText } = published;
  const draft = await selectDraft(tx, listingId);
  const drafted = draft && checkManifest(draft.text).manifest;
  if (draft === undefined || drafted === undefined) return undefined;
  const says = (other: Manifest) => compareManifests(other, drafted).length === 0;
  const store = async (text: string) => {
    const content = { listingId, text, baseVersionId: versionId };
    return (await storeDraft(platform, tx, publisher, content, draft.revision)).revision;
  };
  if (says(manifest)) {
    const isLower = compareVersions(drafted.version, manifest.version) < 0;
    return store(isLower ? setManifestVersion(draft.text, manifest.version) : draft.text);
  }
  if (draft.baseVersionId === null) return undefined;
  const { organizationId } = publisher;
  const base = await selectOwnVersion(tx, organizationId, listingId, draft.baseVersionId);
  const baseManifest = base && checkManifest(base.manifestText).manifest;
  return baseManifest !== undefined && says(baseManifest) ? store(manifestText) : undefined;
}

export function staleRevision(by: string | null = null, at?: Date): Problem {
  const when = at === undefined ? "" : ` ${relativeTime(at, Date.now())}`;
  const detail = `${by ?? "Someone else"} saved this manifest${when}, after you loaded it. Your changes were not saved. Compare both drafts, then choose one or merge them.`;
  return new Problem("STALE_REVISION", detail);
}

function unknownBase(): Problem {
  const message = "This listing doesn't have the version that the draft is based on. Reload the page.";
  return new Problem("BAD_INPUT", message, [{ code: "NO_SUCH_VERSION", pointer: "/baseVersionId", message }]);
}
