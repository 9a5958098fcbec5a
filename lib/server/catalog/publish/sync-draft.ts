/** `platform-app manifest pull` and `push`. */
import { createHash } from "node:crypto";
import type { PulledDraft, PushDraftInput, PushedDraft } from "@/lib/contract/catalog/manifest-draft";
import { checkManifest } from "@/lib/domain/catalog/manifest/check-manifest";
import { withoutVersion } from "@/lib/domain/catalog/manifest/version";
import type { Publisher } from "@/lib/domain/platform/actor";
import type { Platform } from "../../platform/platform";
import { findOwnHosts, requireOwnApp } from "../accept-manifest";
import { findListing } from "../store-version";
import { selectManifestTexts, selectNewestVersion } from "../version-queries";
import { chooseBase, loadDraft, requireDraftListing, storeDraft } from "./manifest-draft";
import { selectDraft } from "./manifest-draft-queries";

/** A folder that is further behind than this asks before a pull overwrites it. */
const MOST_PUBLISHED = 200;

/** The draft, also of a retired listing. Refuses other organizations' apps as publishing does. */
export async function pullDraft(
  platform: Platform,
  publisher: Publisher,
  appName: string,
): Promise<PulledDraft> {
  const { name, app } = requireOwnApp(publisher, appName);
  const { id: listingId } = await findListing(platform, publisher, app);
  const newest = await selectNewestVersion(platform.db, listingId);
  const { text, revision, updatedAt, updatedBy } = await loadDraft(platform.db, listingId, name, newest);
  const source = revision > 0 ? "draft" : newest === undefined ? "new" : "version";
  const texts = await selectManifestTexts(platform.db, listingId, MOST_PUBLISHED);
  return {
    name,
    text,
    revision,
    updatedAt,
    updatedBy,
    source,
    newest: newest === undefined ? null : { number: newest.number, imageDigest: newest.imageDigest },
    published: texts.map((one) => createHash("sha256").update(withoutVersion(one)).digest("hex")),
  };
}

/** Saves a file as the draft, valid or not, and returns its issues. Its base is the saved draft's or the newest version. */
export async function pushDraft(
  platform: Platform,
  publisher: Publisher,
  appName: string,
  { text, revision: expected }: PushDraftInput,
): Promise<PushedDraft> {
  const { app } = requireOwnApp(publisher, appName);
  const { id: listingId } = await findListing(platform, publisher, app);
  const { revision } = await platform.db.transaction(async (tx) => {
    await requireDraftListing(tx, publisher, listingId);
    const newest = await selectNewestVersion(tx, listingId);
    const draft = await selectDraft(tx, listingId);
    const known = draft === undefined ? (newest?.id ?? null) : draft.baseVersionId;
    const baseVersionId = chooseBase({ text, baseVersionId: known }, newest);
    return storeDraft(platform, tx, publisher, { listingId, text, baseVersionId }, expected);
  });
  const { manifest, issues } = checkManifest(text, platform.environment.PLATFORM_PERMISSIONS);
  const own = manifest === undefined ? [] : findOwnHosts(platform.environment, manifest, text);
  return { revision, issues: [...issues, ...own] };
}
