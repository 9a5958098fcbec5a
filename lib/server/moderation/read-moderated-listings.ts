import { LISTING_STATES, type ListingState } from "@/lib/contract/catalog/listing";
import { Problem } from "@/lib/contract/platform/problem";
import type { Actor } from "@/lib/domain/platform/actor";
import { readTextCursor, searchText, writeTextCursor } from "../platform/database/expressions";
import type { Platform } from "../platform/platform";
import { isMemberOf } from "./review-queries";
import * as queries from "./suspension-queries";

const PAGE = 50;

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

/**
 * A listing with its reviews, its suspensions, and the organizations that a suspension would affect. `own`: it belongs
 * to one of the moderator's organizations. Throws NOT_FOUND.
 */
export async function readModeratedListing(platform: Platform, moderator: Actor, listingId: string) {
  const { db } = platform;
  const listing = await queries.selectListing(db, listingId);
  if (listing === undefined) throw new Problem("NOT_FOUND");
  const [own, running, suspensions, reviews] = await Promise.all([
    isMemberOf(db, moderator.userId, listing.organizationId),
    queries.countRunning(db, listingId),
    queries.selectSuspensions(db, listingId),
    queries.selectReviewsOf(db, listingId),
  ]);
  const [newest] = suspensions;
  const stillStopped = await queries.selectStillStopped(db, newest?.stopped ?? []);
  return { listing, own, running, suspensions, reviews, stillStopped };
}

/** Why a listing is suspended now, for its publisher. */
export async function readSuspensionReason(
  platform: Platform,
  listingId: string,
): Promise<string | undefined> {
  const [newest] = await queries.selectSuspensions(platform.db, listingId);
  return newest?.reinstatedAt === null ? newest.reason : undefined;
}
