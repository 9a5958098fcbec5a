import type { ListingDraft } from "@/lib/contract/listing-draft";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { checkManifest } from "@/lib/domain/manifest/check/check-manifest";
import type { Db } from "../database/connect";
import type { Platform } from "../platform/platform";
import { selectNewestVersion } from "../versions/queries";
import { selectOwnListing } from "./queries";
import { selectOwnText, selectTextDraft, selectTextReview } from "./text-queries";

/** The data of the listing editor. NOT_FOUND for other organizations. */
export async function readTextEditor({ db }: Platform, member: Member, appName: string) {
  const listing = await selectOwnListing(db, member.organization.id, appName);
  if (listing === undefined) throw new Problem("NOT_FOUND");
  const { title, tagline, category, about, requirements, links, icon, screenshots } = listing;
  const publicText = { title, tagline, category, about, requirements, links, icon, screenshots };
  const [draft, review, newest] = await Promise.all([
    loadTextDraft(db, listing.id, publicText),
    selectTextReview(db, listing.id),
    selectNewestVersion(db, listing.id),
  ]);
  const issues = newest === undefined ? [] : checkManifest(newest.manifestText).issues;
  return {
    ...{ listing, publicText, draft, review, manifest: newest?.manifest },
    warnings: issues.filter(({ severity }) => severity === "warning").length,
  };
}

/** NOT_FOUND for other organizations. */
export async function readTextDraft(
  { db }: Platform,
  member: Member,
  listingId: string,
): Promise<ListingDraft> {
  const listing = await selectOwnText(db, member.organization.id, listingId);
  if (listing === undefined) throw new Problem("NOT_FOUND");
  return loadTextDraft(db, listingId, listing.text);
}

/** The saved draft, or the text of the listing that a first draft starts from. */
async function loadTextDraft(db: Db, listingId: string, text: ListingDraft["text"]): Promise<ListingDraft> {
  const draft = await selectTextDraft(db, listingId);
  if (draft === undefined) return { text, revision: 0, updatedAt: null, updatedBy: null };
  return { ...draft, updatedAt: draft.updatedAt.toISOString() };
}
