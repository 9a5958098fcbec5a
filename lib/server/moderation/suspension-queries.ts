import { and, asc, count, countDistinct, eq, inArray, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { organizations, users } from "@/drizzle/schema/accounts";
import { listings, reviews, versions } from "@/drizzle/schema/catalog";
import { installations } from "@/drizzle/schema/installations";
import { suspensions } from "@/drizzle/schema/moderation";
import type { ListingState } from "@/lib/contract/catalog/listing";
import { STOPPED_BY_SUSPENSION } from "@/lib/domain/calls/installation";
import type { Db } from "../platform/database/connect";
import { containsFolded } from "../platform/database/expressions";
import {
  isBeyondId,
  isBeyondKey,
  type KeyCursor,
  type Position,
  selectKey,
  sortBy,
  sortByKey,
  type Sorting,
} from "../platform/database/paging";
import type { HistoryPage } from "./review-queries";

const listed = {
  id: listings.id,
  title: listings.title,
  appName: listings.appName,
  state: listings.state,
  organizationId: listings.organizationId,
  organizationSlug: organizations.slug,
  organizationName: organizations.name,
  updatedAt: listings.updatedAt,
};

/** A listing in any state, or undefined. */
export async function selectListing(db: Db, listingId: string) {
  const [found] = await db
    .select(listed)
    .from(listings)
    .innerJoin(organizations, eq(organizations.id, listings.organizationId))
    .where(eq(listings.id, listingId));
  return found;
}

/** By name in the order of an index. */
export const LISTING_SORTS = {
  name: { by: listings.title, type: "text", order: "ascending" },
  changed: { by: listings.updatedAt, type: "timestamptz", order: "descending" },
  newest: { by: listings.createdAt, type: "timestamptz", order: "descending" },
} as const satisfies Record<string, Sorting>;

interface ListingFilter {
  sort: keyof typeof LISTING_SORTS;
  state: ListingState;
  search?: string;
  position?: Position<KeyCursor>;
  limit: number;
}

const matchesSearch = (search: string | undefined) =>
  containsFolded(search, listings.title, listings.appName, organizations.name);

/** How many match the search, by state. */
export async function countListings(
  db: Db,
  search: string | undefined,
): Promise<Partial<Record<ListingState, number>>> {
  const rows = await db
    .select({ state: listings.state, count: count() })
    .from(listings)
    .innerJoin(organizations, eq(organizations.id, listings.organizationId))
    .where(matchesSearch(search))
    .groupBy(listings.state);
  return Object.fromEntries(rows.map((row) => [row.state, row.count]));
}

export async function selectListingsInState(db: Db, { sort, state, search, position, limit }: ListingFilter) {
  const sorting = LISTING_SORTS[sort];
  return db
    .select({ ...listed, cursor: selectKey(sorting) })
    .from(listings)
    .innerJoin(organizations, eq(organizations.id, listings.organizationId))
    .where(and(eq(listings.state, state), matchesSearch(search), isBeyondKey(sorting, position, listings.id)))
    .orderBy(...sortByKey(sorting, position, listings.id))
    .limit(limit);
}

/** What a suspension can stop: Test Launches belong to the publisher, who needs them for the fix. */
const isCustomers = (listingId: string) =>
  and(eq(installations.listingId, listingId), eq(installations.test, false));

/** How many installations run, and of how many organizations. */
export async function countRunning(db: Db, listingId: string) {
  const [found] = await db
    .select({ installations: count(), organizations: countDistinct(installations.organizationId) })
    .from(installations)
    .where(and(isCustomers(listingId), inArray(installations.state, [...STOPPED_BY_SUSPENSION])));
  return found ?? { installations: 0, organizations: 0 };
}

/** The organizations that have the app installed, running or not. */
export async function selectCustomers(db: Db, listingId: string): Promise<string[]> {
  const rows = await db
    .selectDistinct({ id: installations.organizationId })
    .from(installations)
    .where(and(isCustomers(listingId), sql`${installations.state} not in ('UNINSTALLING', 'UNINSTALLED')`));
  return rows.map(({ id }) => id);
}

/** Stops all running ones together, and ends their state keys. `upgrading`: a new version was being started. */
export async function stopRunning(tx: Db, listingId: string) {
  return tx
    .update(installations)
    .set({
      state: "STOPPING",
      reason: null,
      reasonCode: null,
      updatedAt: sql`now()`,
      keyEpoch: sql`${installations.keyEpoch} + 1`,
    })
    .where(and(isCustomers(listingId), inArray(installations.state, [...STOPPED_BY_SUSPENSION])))
    .returning({
      id: installations.id,
      organizationId: installations.organizationId,
      upgrading: sql<boolean>`${installations.otherVersionId} is not null`,
    });
}

export async function insertSuspension(tx: Db, row: typeof suspensions.$inferInsert): Promise<string> {
  const [stored] = await tx.insert(suspensions).values(row).returning({ id: suspensions.id });
  if (stored === undefined) throw new Error("the suspension was not stored");
  return stored.id;
}

export async function noteStopped(tx: Db, id: string, stopped: string[]): Promise<void> {
  await tx.update(suspensions).set({ stopped }).where(eq(suspensions.id, id));
}

/** Ends the open suspension. Undefined if there is none, as for listings that were suspended before suspensions were kept. */
export async function endSuspension(tx: Db, listingId: string, reinstatedBy: string) {
  const [ended] = await tx
    .update(suspensions)
    .set({ reinstatedBy, reinstatedAt: new Date() })
    .where(and(eq(suspensions.listingId, listingId), isNull(suspensions.reinstatedAt)))
    .returning({ id: suspensions.id, stopped: suspensions.stopped });
  return ended;
}

/** Those of the installations that are still stopped, with whose they are. */
export async function selectStillStopped(db: Db, ids: readonly string[]) {
  return db
    .select({
      id: installations.id,
      organizationId: installations.organizationId,
      organization: organizations.name,
    })
    .from(installations)
    .innerJoin(organizations, eq(organizations.id, installations.organizationId))
    .where(and(inArray(installations.id, [...ids]), inArray(installations.state, ["STOPPING", "STOPPED"])))
    .orderBy(asc(organizations.name), asc(installations.id));
}

/** Newest first. */
export async function selectSuspensions(db: Db, listingId: string, { position, limit }: HistoryPage) {
  const reinstater = alias(users, "reinstater");
  return db
    .select({
      id: suspensions.id,
      reason: suspensions.reason,
      stopsInstallations: suspensions.stopsInstallations,
      stopped: suspensions.stopped,
      createdAt: suspensions.createdAt,
      suspendedBy: users.name,
      reinstatedAt: suspensions.reinstatedAt,
      reinstatedBy: reinstater.name,
    })
    .from(suspensions)
    .innerJoin(users, eq(users.id, suspensions.suspendedBy))
    .leftJoin(reinstater, eq(reinstater.id, suspensions.reinstatedBy))
    .where(and(eq(suspensions.listingId, listingId), isBeyondId(position, suspensions.id, "descending")))
    .orderBy(...sortBy("descending", position, suspensions.id))
    .limit(limit);
}

/** A listing's reviews, newest first. */
export async function selectReviewsOf(db: Db, listingId: string, { position, limit }: HistoryPage) {
  return db
    .select({
      id: reviews.id,
      kind: reviews.kind,
      state: reviews.state,
      createdAt: reviews.createdAt,
      decidedAt: reviews.decidedAt,
      number: versions.number,
    })
    .from(reviews)
    .leftJoin(versions, eq(versions.id, reviews.versionId))
    .where(and(eq(reviews.listingId, listingId), isBeyondId(position, reviews.id, "descending")))
    .orderBy(...sortBy("descending", position, reviews.id))
    .limit(limit);
}
