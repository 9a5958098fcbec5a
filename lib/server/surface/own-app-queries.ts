/** Who uses an app, for its publisher: installations of organizations that don't count as its own, without names and without Test Launches. */
import { and, count, desc, eq, not, notInArray, or, type SQL, sql } from "drizzle-orm";
import { listings, versions } from "@/drizzle/schema/catalog";
import { installations } from "@/drizzle/schema/installations";
import { countsAsOwn } from "../accounts/member-queries";
import { byNumber } from "../catalog/listing-queries";
import { periodsOf } from "../insight/health/history-queries";
import type { Db } from "../platform/database/connect";
import { contains } from "../platform/database/expressions";
import {
  isBeyondId,
  isBeyondKey,
  type KeyCursor,
  type Position,
  sortBy,
  sortByKey,
} from "../platform/database/paging";

interface OwnListing {
  id: string;
  organizationId: string;
}

/** Nobody moves the figures of their own app. */
const isCustomer = ({ id, organizationId }: OwnListing) =>
  and(
    eq(installations.listingId, id),
    not(countsAsOwn(installations.organizationId, organizationId)),
    eq(installations.test, false),
    sql`${installations.evidenceId} is null`,
  );

const isLive = notInArray(installations.state, ["UNINSTALLING", "UNINSTALLED"]);

export async function countCustomers(db: Db, listing: OwnListing) {
  const [found] = await db
    .select({
      installations: sql<number>`count(*)::int`,
      organizations: sql<number>`count(distinct ${installations.organizationId})::int`,
    })
    .from(installations)
    .where(and(isCustomer(listing), isLive));
  return found ?? { installations: 0, organizations: 0 };
}

/** The versions that customers use, the highest first. */
export async function selectVersionsInUse(db: Db, listing: OwnListing) {
  return db
    .select({
      id: versions.id,
      number: versions.number,
      installations: sql<number>`count(*)::int`,
    })
    .from(installations)
    .innerJoin(versions, eq(versions.id, installations.versionId))
    .where(and(isCustomer(listing), isLive))
    .groupBy(versions.id)
    .orderBy(desc(byNumber("descending").by));
}

/** Customers' calls by the version that they called, for `selectCallsOfDay`. */
export const callsOfVersions = ({ id, organizationId }: OwnListing) => sql`
  select p.installation_id as id, p.organization_id, p.version_id::text as key, p."from" as since, p."to" as until
    from (${periodsOf(sql`i.listing_id = ${id} and not i.test and not ${countsAsOwn(sql`i.organization_id`, organizationId)}`)}) p`;

/** Customers' calls by installation, for `selectCallsOfDay`. */
export const callsOfCustomers = ({ id, organizationId }: OwnListing) => sql`
  select i.id, i.organization_id, i.id::text as key, null::timestamptz as since, null::timestamptz as until
    from installations i
   where i.listing_id = ${id} and not i.test and i.evidence_id is null
     and not ${countsAsOwn(sql`i.organization_id`, organizationId)}
     and i.state not in ('UNINSTALLING', 'UNINSTALLED')`;

export const CUSTOMER_ORDERS = ["newest", "oldest", "version"] as const;

interface CustomerFilter {
  order: (typeof CUSTOMER_ORDERS)[number];
  position?: Position<KeyCursor>;
  /** Come first, in this order. */
  first?: readonly string[];
  offset?: number;
  limit: number;
}

/** `search`: in the version's number or the installation's id. */
const isFound = (listing: OwnListing, search: string | undefined) =>
  and(
    isCustomer(listing),
    isLive,
    search === undefined
      ? undefined
      : or(
          contains(search, versions.number),
          sql`strpos(${installations.id}::text, ${search.toLowerCase()}) > 0`,
        ),
  );

/** How many installations a search finds. */
export async function countFound(db: Db, listing: OwnListing, search: string | undefined): Promise<number> {
  const [found] = await db
    .select({ count: count() })
    .from(installations)
    .innerJoin(versions, eq(versions.id, installations.versionId))
    .where(isFound(listing, search));
  return found?.count ?? 0;
}

/** A page of the installations that a search finds. */
export async function selectCustomers(
  db: Db,
  listing: OwnListing,
  search: string | undefined,
  { order, position, first = [], offset = 0, limit }: CustomerFilter,
) {
  const ranked: SQL[] =
    first.length === 0
      ? []
      : [sql`array_position(${sql.param([...first])}::uuid[], ${installations.id}) nulls last`];
  const direction = order === "oldest" ? "ascending" : "descending";
  const sorting = order === "version" ? byNumber(direction) : undefined;
  return db
    .select({
      id: installations.id,
      versionId: installations.versionId,
      state: installations.state,
      number: versions.number,
      createdAt: installations.createdAt,
    })
    .from(installations)
    .innerJoin(versions, eq(versions.id, installations.versionId))
    .where(
      and(
        isFound(listing, search),
        sorting === undefined
          ? isBeyondId(position, installations.id, direction)
          : isBeyondKey(sorting, position, installations.id),
      ),
    )
    .orderBy(
      ...ranked,
      ...(sorting === undefined
        ? sortBy(direction, position, installations.id)
        : sortByKey(sorting, position, installations.id)),
    )
    .limit(limit)
    .offset(offset);
}

/** Whether anything was published of a listing. */
export async function hasVersion(db: Db, listingId: string): Promise<boolean> {
  const found = await db
    .select({ id: versions.id })
    .from(versions)
    .innerJoin(listings, eq(listings.id, versions.listingId))
    .where(eq(listings.id, listingId))
    .limit(1);
  return found.length === 1;
}
