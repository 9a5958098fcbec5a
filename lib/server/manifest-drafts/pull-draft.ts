import type { PulledDraft } from "@/lib/contract/manifest-draft";
import type { Platform } from "../platform/platform";
import { requireOwnApp } from "../versions/own-app";
import type { Publisher } from "../versions/publisher";
import { findListing } from "../versions/store-version";
import { selectNewestVersion } from "./queries";
import { draftOf } from "./read-draft";

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
