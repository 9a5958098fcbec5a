/** An app as its publisher sees it, tab by tab. */
import { Problem } from "@/lib/contract/platform/problem";
import { mayReadLogs } from "@/lib/domain/catalog/listing";
import { NO_CALLS } from "@/lib/domain/insight/calls-of-day";
import type { Member } from "@/lib/domain/platform/actor";
import { noteUnreleased } from "@/lib/domain/surface/attention";
import { readDeletable } from "../catalog/delete-draft";
import {
  countInstallations,
  type ListingRow,
  selectLastVersion,
  selectNewestReview,
  selectOwnListing,
  selectVersionFacts,
  selectVersionPage,
  VERSION_ORDERS,
} from "../catalog/listing-queries";
import { selectCallsOfDay } from "../insight/call-log/day-queries";
import { addHealth, readFailures } from "../insight/health/read-health";
import { selectTestLaunches } from "../installations/queries";
import { searchText } from "../platform/database/expressions";
import { pageByOffset, readOffset } from "../platform/database/paging";
import type { Platform } from "../platform/platform";
import { readSuspensionReason } from "../moderation/read-moderated-listings";
import * as queries from "./own-app-queries";
import { findDrafts } from "./read-own-listings";

/** What its header shows. NOT_FOUND for other organizations. */
export async function readOwnApp({ db }: Platform, member: Member, appName: string) {
  const listing = await selectOwnListing(db, member.organization.id, appName);
  if (listing === undefined) throw new Problem("NOT_FOUND");
  return { listing, hasVersion: await queries.hasVersion(db, listing.id) };
}

/** Of the member's organization. */
type Listing = Pick<ListingRow, "id" | "organizationId" | "state" | "appName">;

const FAILURES = 10;
/** Of the versions in use. */
const VERSIONS_IN_USE = 6;

/** Whether it is healthy, who uses it, and what is next. */
export async function readOwnOverview(platform: Platform, member: Member, listing: Listing) {
  const { db } = platform;
  const [newest, review, suspension, customers, inUse, days, failures, { drafts, texts }] = await Promise.all(
    [
      selectLastVersion(db, listing.id),
      selectNewestReview(db, listing.id, "VERSION"),
      listing.state === "SUSPENDED" ? readSuspensionReason(platform, listing.id) : undefined,
      queries.countCustomers(db, listing),
      queries.selectVersionsInUse(db, listing),
      selectCallsOfDay(db, queries.callsOfVersions(listing), { withTests: false }),
      mayReadLogs(member, listing.organizationId) ? readFailures(db, listing.id, FAILURES + 1) : [],
      findDrafts(db, listing.organizationId, listing.id),
    ],
  );
  return {
    newest,
    review,
    suspension,
    unreleased: noteUnreleased({
      appName: listing.appName,
      newest: newest ?? null,
      draft: drafts.get(listing.id),
      textChangedAt: texts.get(listing.id),
    }),
    customers,
    inUse: {
      versions: inUse
        .slice(0, VERSIONS_IN_USE)
        .map(({ id, ...version }) => ({ ...version, day: days.get(id) ?? NO_CALLS })),
      more: Math.max(0, inUse.length - VERSIONS_IN_USE),
    },
    failures: failures.slice(0, FAILURES),
    hasMoreFailures: failures.length > FAILURES,
  };
}

const PAGE = 20;

/** As in the URL. What is unknown counts as absent. */
interface ListQuery {
  sort?: string;
  after?: string;
  q?: string;
}

/** A page of its versions, in an order. */
export async function readOwnVersions({ db }: Platform, member: Member, listing: Listing, query: ListQuery) {
  const sort = VERSION_ORDERS.find((order) => order === query.sort) ?? "newest";
  const offset = readOffset(query.after);
  const [found, facts, testLaunches] = await Promise.all([
    selectVersionPage(db, listing.id, { order: sort, offset, limit: PAGE + 1 }),
    selectVersionFacts(db, listing.id),
    selectTestLaunches(db, member.organization.id, listing.id),
  ]);
  const { rows: versions, total, ...pages } = pageByOffset(found, offset, PAGE);
  return { versions, total, pages, sort, ...facts, testLaunches };
}

export const CUSTOMER_SORTS = ["newest", "oldest", "version", "failed", "calls"] as const;
export type CustomerSort = (typeof CUSTOMER_SORTS)[number];

/**
 * A page of other organizations' installations: what an app itself could count, and no name of a customer. Their calls are those of
 * the last 24 hours.
 */
export async function readCustomers({ db }: Platform, listing: Listing, query: ListQuery) {
  const sort = CUSTOMER_SORTS.find((order) => order === query.sort) ?? "newest";
  const offset = readOffset(query.after);
  const search = searchText(query.q);
  const [days, customers] = await Promise.all([
    selectCallsOfDay(db, queries.callsOfCustomers(listing), { withTests: false }),
    queries.countCustomers(db, listing),
  ]);
  const isByCalls = sort === "failed" || sort === "calls";
  const first = isByCalls
    ? [...days].sort(([, one], [, other]) => other[sort] - one[sort]).map(([id]) => id)
    : [];
  const order = isByCalls ? "newest" : sort;
  const filter = { search, order, first, offset, limit: PAGE + 1 };
  const {
    rows: found,
    total,
    ...pages
  } = pageByOffset(await queries.selectCustomers(db, listing, filter), offset, PAGE);
  const rows = await addHealth(db, found);
  return {
    rows: rows.map(({ id, number, createdAt, health: { status } }) => ({
      ...{ id, number, createdAt, status },
      day: days.get(id) ?? NO_CALLS,
    })),
    total,
    pages,
    ...{ sort, search: search ?? "", customers },
  };
}

/** What the confirmation of the end of a listing says. */
export async function readOwnSettings(platform: Platform, listing: Listing) {
  const [installations, deletable] = await Promise.all([
    countInstallations(platform.db, listing.id),
    listing.state === "DRAFT" ? readDeletable(platform, listing) : undefined,
  ]);
  return { installations, deletable };
}
