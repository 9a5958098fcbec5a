import { LISTING_STATES, type ListingState } from "@/lib/contract/catalog/listing";
import { Problem } from "@/lib/contract/platform/problem";
import { isId } from "@/lib/contract/platform/text";
import type { Actor } from "@/lib/domain/platform/actor";
import { readTextCursor, searchText, writeTextCursor } from "../platform/database/expressions";
import type { Platform } from "../platform/platform";
import { countOpenReports } from "./report-queries";
import { type HistoryPage, isMemberOf } from "./review-queries";
import * as queries from "./suspension-queries";

const PAGE = 30;

interface ListingQuery {
  /** From the URL, like the rest: an unknown state means PUBLIC, an invalid cursor the first page. */
  state?: string;
  search?: string;
  after?: string;
}

/** The listings of every publisher, for moderators. */
export async function listModeratedListings(platform: Platform, query: ListingQuery) {
  const state: ListingState = LISTING_STATES.find((one) => one === query.state) ?? "PUBLIC";
  const rows = await queries.selectListingsInState(platform.db, {
    state,
    after: readTextCursor(query.after),
    search: searchText(query.search),
    limit: PAGE + 1,
  });
  const listings = rows.slice(0, PAGE);
  const last = rows.length > PAGE ? listings.at(-1) : undefined;
  return { state, listings, next: last && writeTextCursor({ id: last.id, text: last.title }) };
}

const HISTORY_PAGE = 20;

/** From the URL: an invalid cursor means the first page. */
export function historyPage(after: string | undefined): HistoryPage {
  return { before: after !== undefined && isId(after) ? after : undefined, limit: HISTORY_PAGE + 1 };
}

/** The rows of a page, and the cursor of the next one. */
export function cutHistory<Row extends { id: string }>(found: readonly Row[]) {
  const rows = found.slice(0, HISTORY_PAGE);
  return { rows, next: found.length > HISTORY_PAGE ? rows.at(-1)?.id : undefined };
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
    countOpenReports(db, listingId),
    queries.selectSuspensions(db, listingId, { limit: 1 }),
    queries.selectSuspensions(db, listingId, historyPage(after.suspensions)),
    queries.selectReviewsOf(db, listingId, historyPage(after.reviews)),
  ]);
  const stillStopped = await queries.selectStillStopped(db, newest?.stopped ?? []);
  return {
    listing,
    own,
    running,
    openReports,
    suspensions: cutHistory(suspensions),
    reviews: cutHistory(reviews),
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
