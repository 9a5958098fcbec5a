import type { PulledDraft, PushDraftInput, PushedDraft } from "@/lib/contract/manifest-draft";
import type { Platform } from "../platform/platform";
import { requireOwnApp } from "../versions/accept-manifest";
import type { Publisher } from "@/lib/domain/actor";
import { findListing } from "../versions/store-version";
import { selectDraft, selectNewestVersion } from "./queries";
import { baseOf, draftOf } from "./read-draft";
import { checkManifest } from "@/lib/domain/manifest/check/check-manifest";
import type { Db } from "../database/connect";
import { requireDraftListing, storeDraft } from "./save-draft";

/** The draft as the command line takes it over, also of a retired listing. Refuses other organizations as publishing does. */
export async function pullDraft(
  platform: Platform,
  publisher: Publisher,
  appName: string,
): Promise<PulledDraft> {
  const { name, app } = requireOwnApp(publisher, appName);
  const { id: listingId } = await findListing(platform, publisher, app);
  const newest = await selectNewestVersion(platform.db, listingId);
  const { text, revision, updatedAt, updatedBy } = await draftOf(platform.db, listingId, name, newest);
  const source = revision > 0 ? "draft" : newest === undefined ? "new" : "version";
  return { name, text, revision, updatedAt, updatedBy, source };
}

/** Saves the working folder's file as the draft, broken or not, and says what is wrong with it. */
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
    const baseVersionId = await baseOfPushed(tx, listingId, text);
    return storeDraft(platform, tx, publisher, { listingId, text, baseVersionId }, expected);
  });
  return { revision, issues: checkManifest(text).issues };
}

/** A file says nothing of versions: it goes on from where the draft was, or from the newest version. */
async function baseOfPushed(tx: Db, listingId: string, text: string): Promise<string | null> {
  const newest = await selectNewestVersion(tx, listingId);
  const draft = await selectDraft(tx, listingId);
  const baseVersionId = draft === undefined ? (newest?.id ?? null) : draft.baseVersionId;
  return baseOf({ text, baseVersionId }, newest);
}
