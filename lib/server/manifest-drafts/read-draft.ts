import type { ManifestDraft } from "@/lib/contract/manifest-draft";
import { Problem } from "@/lib/contract/problem";
import { newManifestText } from "@/lib/domain/manifest/new-entry";
import type { Db } from "../database/connect";
import type { Platform } from "../platform/platform";
import type { Publisher } from "../versions/publisher";
import { differsFrom } from "./draft-difference";
import {
  selectActorName,
  selectDraft,
  selectDraftListing,
  selectNewestVersion,
  type NewestVersion,
} from "./queries";

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
