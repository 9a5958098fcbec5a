import { LISTING_STATES, type ListingState } from "@/lib/contract/catalog/listing";
import { Problem } from "@/lib/contract/platform/problem";
import type { Actor } from "@/lib/domain/platform/actor";
import { searchText } from "../platform/database/expressions";
import { byCursor, findSort, ID_CURSOR, readPage } from "../platform/database/paging";
import type { Platform } from "../platform/platform";
import { countReports } from "./report-queries";
import { type HistoryPage, isMemberOf } from "./review-queries";
import * as queries from "./suspension-queries";

const PAGE = 30;

interface ListingQuery {
  /** From the URL, like the rest: an unknown state means PUBLIC, an invalid cursor the first page. */
  state?: string;
  search?: string;
  sort?: string;
  after?: string;
}

/** The listings of every publisher, for moderators. The counts are those of the search, whatever the state. */
export async function listModeratedListings(platform: Platform, query: ListingQuery) {
  const state: ListingState = LISTING_STATES.find((one) => one === query.state) ?? "PUBLIC";
  const sort = findSort(queries.LISTING_SORTS, query.sort);
  const filter = { state, sort, search: searchText(query.search) };
  const [{ rows: listings, ...pages }, counts] = await Promise.all([
    readPage(query.after, PAGE, byCursor(queries.LISTING_SORTS[sort]), (position, limit) =>
      queries.selectListingsInState(platform.db, { ...filter, position, limit }),
    ),
    queries.countListings(platform.db, filter.search),
  ]);
  return { state, sort, listings, counts, ...pages };
}

const HISTORY_PAGE = 10;

/** A page of a history. @param after cursor from the URL: an invalid one means the first page */
export async function readHistory<Row extends { id: string }>(
  after: string | undefined,
  select: (page: HistoryPage) => Promise<Row[]>,
) {
  return readPage(after, HISTORY_PAGE, ID_CURSOR, (position, limit) => select({ position, limit }));
}

/** The title of a listing of any publisher. Throws NOT_FOUND. */
export async function readModeratedTitle({ db }: Platform, listingId: string): Promise<string> {
  const listing = await queries.selectListing(db, listingId);
  if (listing === undefined) throw new Problem("NOT_FOUND");
  return listing.title;
}

/**
 * A listing with a page of its reviews and of its suspensions, and the organizations that a suspension would affect. `own`: it
 * belongs to one of the moderator's organizations. Throws NOT_FOUND.
 */
export async function readModeratedListing(
  platform: Platform,
  moderator: Actor,
  listingId: string,
  after: { reviews?: string; suspensions?: string } = {},
) {
  const { db } = platform;
  const listing = await queries.selectListing(db, listingId);
  if (listing === undefined) throw new Problem("NOT_FOUND");
  const [own, running, openReports, [newest], suspensions, reviews] = await Promise.all([
    isMemberOf(db, moderator.userId, listing.organizationId),
    queries.countRunning(db, listingId),
    countReports(db, true, listingId),
    queries.selectSuspensions(db, listingId, { limit: 1 }),
    readHistory(after.suspensions, (history) => queries.selectSuspensions(db, listingId, history)),
    readHistory(after.reviews, (history) => queries.selectReviewsOf(db, listingId, history)),
  ]);
  const stillStopped = await queries.selectStillStopped(db, newest?.stopped ?? []);
  return {
    listing,
    own,
    running,
    openReports,
    suspensions,
    reviews,
    newestSuspension: newest?.id,
    stillStopped,
  };
}

/** Why a listing is suspended now, for its publisher. */
export async function readSuspensionReason(
  platform: Platform,
  listingId: string,
): Promise<string | undefined> {
  const [newest] = await queries.selectSuspensions(platform.db, listingId, { limit: 1 });
  return newest?.reinstatedAt === null ? newest.reason : undefined;
}
