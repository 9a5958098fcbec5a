/** An organization's own listings: a page of them, and what their rows say, here and on Home. */
import type { Pages } from "@/lib/contract/platform/pages";
import { compareTexts } from "@/lib/domain/catalog/listing-text";
import { checkManifest } from "@/lib/domain/catalog/manifest/check-manifest";
import { type CallsOfDay, NO_CALLS, sortByCalls } from "@/lib/domain/insight/calls-of-day";
import type { Member } from "@/lib/domain/platform/actor";
import { describeListing, type ListingRow, type OwnApp } from "@/lib/domain/surface/home-rows";
import { differsFrom } from "../catalog/publish/manifest-draft";
import { selectNewestVersions } from "../catalog/version-queries";
import { selectCallsOfDay } from "../insight/call-log/day-queries";
import { searchText } from "../platform/database/expressions";
import { byKey, readCountedPage, readPage } from "../platform/database/paging";
import type { Platform } from "../platform/platform";
import * as queries from "./home-queries";

const PAGE = 20;

export const LISTING_SORTS = ["title", "newest", "customers", "calls", "failed"] as const;
export type ListingSort = (typeof LISTING_SORTS)[number];

/** As in the URL. What is unknown counts as absent. */
interface ListQuery {
  sort?: string;
  after?: string;
  q?: string;
}

interface OwnListings {
  rows: ListingRow[];
  /** Of all pages. */
  total: number;
  pages: Pages;
  sort: ListingSort;
  search: string;
  /** Drafts of manifests that nobody looked at. */
  uncheckedDrafts: number;
}

const BY_TITLE = byKey<{ id: string; title: string }>("text", ({ title }) => title);

/** A page of the organization's listings, in an order. Calls are those of other organizations in the last 24 hours. */
export async function readOwnListings(
  { db }: Platform,
  { organization: { id } }: Member,
  query: ListQuery,
): Promise<OwnListings> {
  const sort = LISTING_SORTS.find((order) => order === query.sort) ?? "title";
  const filter = { search: searchText(query.q), withRetired: true };
  const [days, total] = await Promise.all([
    selectCallsOfDay(db, queries.customersOfListings(id), { withTests: false }),
    queries.countOwnListings(db, id, filter),
  ]);
  const { rows, ...pages } =
    sort === "title" || sort === "newest"
      ? await readPage(query.after, PAGE, BY_TITLE, (position, limit) =>
          queries.selectOwnListings(db, id, { ...filter, order: sort, position, limit }),
        )
      : await readCountedPage(query.after, PAGE, (offset, limit) =>
          queries.selectOwnListings(db, id, {
            ...filter,
            ...(sort === "customers" ? { order: sort } : { order: "title", first: sortByCalls(days, sort) }),
            ...{ offset, limit },
          }),
        );
  const { listings, uncheckedDrafts } = await addListingFacts(db, id, rows, days);
  return {
    rows: listings.map(describeListing),
    ...{ total, pages, sort, uncheckedDrafts },
    search: filter.search ?? "",
  };
}

type Database = Platform["db"];
type FoundListing = Awaited<ReturnType<typeof queries.selectOwnListings>>[number];

/** What their rows say beside it: calls, and drafts that are not released or submitted. */
export async function addListingFacts(
  db: Database,
  organizationId: string,
  listings: readonly FoundListing[],
  days: ReadonlyMap<string, CallsOfDay>,
): Promise<{ listings: OwnApp[]; uncheckedDrafts: number }> {
  const { drafts, texts, unchecked } = await findDrafts(db, organizationId);
  return {
    listings: listings.map(({ id, ...listing }): OwnApp => ({
      ...listing,
      day: days.get(id) ?? NO_CALLS,
      draft: drafts.get(id),
      textChangedAt: texts.get(id),
    })),
    uncheckedDrafts: unchecked,
  };
}

/**
 * By listing: drafts of manifests with errors or that differ from the newest version, and when a text was changed that is not
 * submitted.
 * @param listingId only of this one
 */
export async function findDrafts(db: Database, organizationId: string, listingId?: string) {
  const [{ drafts, unchecked }, texts] = await Promise.all([
    queries.selectManifestDrafts(db, organizationId, listingId),
    queries.selectTextDrafts(db, organizationId, listingId),
  ]);
  const versions = await selectNewestVersions(
    db,
    drafts.map((draft) => draft.listingId),
  );
  const open = drafts.flatMap(({ listingId: id, text, updatedAt }) => {
    const newest = versions.get(id);
    const errors = checkManifest(text).issues.filter(({ severity }) => severity === "error").length;
    const isUnreleased = newest !== undefined && differsFrom(newest, text);
    return errors > 0 || isUnreleased ? [[id, { errors, updatedAt }] as const] : [];
  });
  const changed = texts.flatMap(({ listingId: id, publicText, text, updatedAt }) =>
    compareTexts(publicText, text).length > 0 ? [[id, updatedAt] as const] : [],
  );
  return { drafts: new Map(open), texts: new Map(changed), unchecked };
}
