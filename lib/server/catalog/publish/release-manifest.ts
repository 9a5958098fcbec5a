import type { Manifest } from "@/lib/contract/catalog/manifest";
import type { Released, ReleaseInput } from "@/lib/contract/catalog/manifest-draft";
import { publishCommands } from "@/lib/contract/catalog/publish-commands";
import { type Issue, pointerTo, Problem } from "@/lib/contract/platform/problem";
import {
  compareManifests,
  describeChange,
  type ManifestChange,
} from "@/lib/domain/catalog/manifest/compare-manifests";
import { ENTRY_LISTS } from "@/lib/domain/catalog/manifest/entry";
import { bumpVersion, compareVersions, setManifestVersion } from "@/lib/domain/catalog/manifest/version";
import type { Publisher } from "@/lib/domain/platform/actor";
import { locateIssues } from "@/lib/domain/platform/json-text/json-source";
import { getMember, type Path, valueAt } from "@/lib/domain/platform/json-text/json-value";
import type { Db } from "../../platform/database/connect";
import type { Platform } from "../../platform/platform";
import { acceptDraft, acceptManifest } from "../accept-manifest";
import { addVersion } from "../store-version";
import { type NewestVersion, selectEarlier, selectNewestVersion } from "../version-queries";
import { differsFrom, requireDraftListing, staleRevision, storeDraft } from "./manifest-draft";
import { selectActorName, selectDraft } from "./manifest-draft-queries";

/**
 * Creates a version from the newest version's image and the texts of the saved draft, unverified like any other. It
 * becomes the draft's base. Throws `NOT_FOUND`, `WRONG_STATE`, `STALE_REVISION`, `BAD_MANIFEST`.
 */
export async function releaseManifest(
  platform: Platform,
  publisher: Publisher,
  listingId: string,
  { revision, notes }: ReleaseInput,
): Promise<Released> {
  return platform.db.transaction(async (tx) => {
    const { appName } = await requireDraftListing(tx, publisher, listingId, true);
    const name = `${publisher.organizationSlug}/${appName}`;
    const newest = await requireImage(tx, listingId, name);
    const draft = await requireDraft(tx, listingId, revision);
    requireCompared(newest, draft);
    const number = requireTextOnly(draft.text, name, newest);
    const accepted = acceptManifest(setManifestVersion(draft.text, number), name);
    const { bundleKind, imageManifestText, imageDigest, archiveDigest, archiveBytes } = newest;
    const image = { bundleKind, imageManifestText, imageDigest, archiveDigest, archiveBytes };
    const version = { listingId, releaseNotes: notes, ...accepted, ...image };
    const versionId = await addVersion(platform, tx, publisher, version, await selectEarlier(tx, listingId));
    const text = accepted.manifestText;
    const content = { listingId, text, baseVersionId: versionId };
    const saved = await storeDraft(platform, tx, publisher, content, revision);
    return { versionId, number, draft: { text, ...saved } };
  });
}

async function requireImage(tx: Db, listingId: string, name: string): Promise<NewestVersion> {
  const newest = await selectNewestVersion(tx, listingId);
  if (newest !== undefined) return newest;
  const { pull, publish } = publishCommands(name);
  const detail = `This app has no published image yet. Save the manifest as platform-app.json (${pull}), build the image, and publish it: ${publish}`;
  throw new Problem("WRONG_STATE", detail);
}

async function requireDraft(tx: Db, listingId: string, revision: number) {
  const draft = await selectDraft(tx, listingId);
  if (draft === undefined) throw staleRevision();
  if (draft.revision === revision) return draft;
  throw staleRevision((await selectActorName(tx, draft.updatedBy)) ?? null, draft.updatedAt);
}

/** A draft that was never compared with the newest version would silently undo its changes. */
function requireCompared(newest: NewestVersion, draft: { text: string; baseVersionId: string | null }): void {
  if (draft.baseVersionId === newest.id || !differsFrom(newest, draft.text)) return;
  const detail = `Version ${newest.number} was published after this draft was started from an earlier version. Reload the page to compare them, then choose one or merge both.`;
  throw new Problem("WRONG_STATE", detail);
}

/** Returns the number of the release. Throws if the image's code may depend on a change. */
function requireTextOnly(text: string, name: string, newest: NewestVersion): string {
  const manifest = acceptDraft(text, name);
  const changes = compareManifests(newest.manifest, manifest);
  if (changes.length === 0)
    throw new Problem(
      "WRONG_STATE",
      `Nothing has changed since version ${newest.number}, so there is nothing to release.`,
    );
  const issues = findImageChanges(text, manifest, changes, name);
  if (issues.length > 0) {
    const what = issues.length === 1 ? "A change needs" : `${issues.length} changes need`;
    const detail = `${what} a new image, because the app's code may depend on ${issues.length === 1 ? "it" : "them"}. Build and publish an image with platform-app, or undo the listed changes and release the rest.`;
    throw new Problem("BAD_MANIFEST", detail, issues);
  }
  return compareVersions(manifest.version, newest.number) > 0 ? manifest.version : bumpVersion(newest.number);
}

/** One issue for each change that the image's code may depend on, located in the draft's text. */
function findImageChanges(
  text: string,
  draft: Manifest,
  changes: readonly ManifestChange[],
  name: string,
): Issue[] {
  const hint = `Build an image with this change and publish it: ${publishCommands(name).publish}`;
  const issues = changes
    .filter(({ needsImage }) => needsImage)
    .map((change): Issue => ({
      code: "NEEDS_IMAGE",
      pointer: pointerTo(...findPath(draft, change)),
      message: describeChange(change),
      hint,
    }));
  return locateIssues(text, issues);
}

/** The entry; for a removed entry, its list; for a change of the app as a whole, the root. */
function findPath(draft: Manifest, { kind, name }: ManifestChange): Path {
  if (kind === "app") return [];
  const list = valueAt(draft, ENTRY_LISTS[kind]);
  const index = Array.isArray(list) ? list.findIndex((entry: unknown) => hasName(entry, name)) : -1;
  return index === -1 ? ENTRY_LISTS[kind] : [...ENTRY_LISTS[kind], index];
}

function hasName(entry: unknown, name: string): boolean {
  return entry === name || getMember(entry, "name") === name || getMember(entry, "path") === name;
}
