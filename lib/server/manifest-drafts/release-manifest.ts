import type { Released } from "@/lib/contract/manifest-draft";
import { pointerTo } from "@/lib/contract/pointer";
import { type Issue, Problem } from "@/lib/contract/problem";
import { compareManifests, type ManifestChange } from "@/lib/domain/manifest/compare/compare-manifests";
import { bumpVersion, compareVersions, setManifestVersion } from "@/lib/domain/version";
import type { Db } from "../database/connect";
import { differsFrom } from "./read-draft";
import { type NewestVersion, selectActorName, selectDraft, selectNewestVersion } from "./queries";
import { requireDraftListing, staleRevision, storeDraft } from "./save-draft";
import type { Platform } from "../platform/platform";
import { acceptDraft, acceptManifest } from "../versions/accept-manifest";
import type { Publisher } from "@/lib/domain/actor";
import { addVersion } from "../versions/store-version";
import type { Manifest } from "@/lib/contract/manifest";
import { getMember, type Path, valueAt } from "@/lib/domain/json-text/json-value";
import { locateIssues } from "@/lib/domain/json-text/locate-issues";
import { ENTRY_LISTS } from "@/lib/domain/manifest/outline/entry";

/**
 * A version of the newest one's image with the texts of the saved draft, unverified like any other. The draft goes on
 * from it. Throws `NOT_FOUND`, `WRONG_STATE`, `STALE_REVISION`, `BAD_MANIFEST`.
 */
export async function releaseManifest(
  platform: Platform,
  publisher: Publisher,
  listingId: string,
  revision: number,
): Promise<Released> {
  return platform.db.transaction(async (tx) => {
    const { appName } = await requireDraftListing(tx, publisher, listingId, true);
    const name = `${publisher.organizationSlug}/${appName}`;
    const newest = await requireImage(tx, listingId, name);
    const draft = await requireDraft(tx, listingId, revision);
    requireCompared(newest, draft);
    const number = requireTextsAlone(draft.text, name, newest);
    const accepted = acceptManifest(setManifestVersion(draft.text, number), name);
    const { bundleKind, imageDigest, archiveDigest, archiveBytes } = newest;
    const image = { bundleKind, imageDigest, archiveDigest, archiveBytes };
    const versionId = await addVersion(platform, tx, publisher, { listingId, ...accepted, ...image });
    const text = accepted.manifestText;
    const saved = await storeDraft(
      platform,
      tx,
      publisher,
      { listingId, text, baseVersionId: versionId },
      revision,
    );
    return { versionId, number, draft: { text, ...saved } };
  });
}

async function requireImage(tx: Db, listingId: string, name: string): Promise<NewestVersion> {
  const newest = await selectNewestVersion(tx, listingId);
  if (newest !== undefined) return newest;
  const detail = `There is no image yet that this manifest could go with. Save it as platform-app.json (platform-app manifest pull --app ${name}), build the image, and publish it: platform-app publish ${name}:latest`;
  throw new Problem("WRONG_STATE", detail);
}

async function requireDraft(tx: Db, listingId: string, revision: number) {
  const draft = await selectDraft(tx, listingId);
  if (draft === undefined) throw staleRevision();
  if (draft.revision === revision) return draft;
  throw staleRevision((await selectActorName(tx, draft.updatedBy)) ?? null, draft.updatedAt);
}

/** What a newer version says would be undone unseen by a draft that was never compared with it. */
function requireCompared(newest: NewestVersion, draft: { text: string; baseVersionId: string | null }): void {
  if (draft.baseVersionId === newest.id || !differsFrom(newest, draft.text)) return;
  const detail = `Version ${newest.number} was published meanwhile, and this draft was made from an earlier one. Load the page again, see the difference, and take either or merge both.`;
  throw new Problem("WRONG_STATE", detail);
}

/** The number that the release gets, once it is sure that the code in the image does not depend on what changed. */
function requireTextsAlone(text: string, name: string, newest: NewestVersion): string {
  const manifest = acceptDraft(text, name);
  const changes = compareManifests(newest.manifest, manifest);
  if (changes.length === 0)
    throw new Problem(
      "WRONG_STATE",
      `Nothing has changed since version ${newest.number}: there is nothing to release.`,
    );
  const issues = needsImageIssues(text, manifest, changes, name);
  if (issues.length > 0) {
    const what = issues.length === 1 ? "A change needs" : `${issues.length} changes need`;
    const detail = `${what} a new image, since the app's code may depend on it. Build and publish one with platform-app, or undo what is listed and release the rest.`;
    throw new Problem("BAD_MANIFEST", detail, issues);
  }
  return compareVersions(manifest.version, newest.number) > 0 ? manifest.version : bumpVersion(newest.number);
}

const NOUN_OF = {
  app: "The app's",
  setting: "The setting",
  mapping: "The mapping field",
  webhook: "The webhook",
  autofill: "The autofill",
  rater: "The external rater",
  lifecycle: "The lifecycle hook",
} as const satisfies Record<ManifestChange["kind"], string>;

/** One issue a change that the image's code may depend on, at the entry in the draft's text. */
function needsImageIssues(
  text: string,
  draft: Manifest,
  changes: readonly ManifestChange[],
  name: string,
): Issue[] {
  const hint = `Build an image with it and publish it: platform-app publish ${name}:latest`;
  const issues = changes
    .filter(({ needsImage }) => needsImage)
    .map((change): Issue => ({
      code: "NEEDS_IMAGE",
      pointer: pointerTo(...pathOf(draft, change)),
      message: says(change),
      hint,
    }));
  return locateIssues(text, issues);
}

function says({ kind, change, name, title, details }: ManifestChange): string {
  const members = details.map(({ member }) => member).join(", ");
  const known = title === "" || title === name ? `"${name}"` : `"${title}" (${name})`;
  return `${NOUN_OF[kind]} ${known} was ${change}${change === "changed" && members !== "" ? `: ${members}` : ""}.`;
}

/** Of what was removed: the list where it was. What changed of the app as a whole is everywhere. */
function pathOf(draft: Manifest, { kind, name }: ManifestChange): Path {
  if (kind === "app") return [];
  const list = valueAt(draft, ENTRY_LISTS[kind]);
  const index = Array.isArray(list) ? list.findIndex((entry: unknown) => isKnownBy(entry, name)) : -1;
  return index === -1 ? ENTRY_LISTS[kind] : [...ENTRY_LISTS[kind], index];
}

function isKnownBy(entry: unknown, name: string): boolean {
  return entry === name || getMember(entry, "name") === name || getMember(entry, "path") === name;
}
