import { and, count, desc, eq, gt, inArray, min, ne, notExists, notInArray, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { deliveries } from "@/drizzle/schema/calls";
import { listingDrafts, listings, manifestDrafts, reviews, versions } from "@/drizzle/schema/catalog";
import { installations, launchRequests } from "@/drizzle/schema/installations";
import { configurations } from "@/drizzle/schema/installations-configurations";
import { products, tenants } from "@/drizzle/schema/installations-tenants";
import { listingReports } from "@/drizzle/schema/moderation";
import { instances } from "@/drizzle/schema/runtime";
import type { Progress } from "@/lib/domain/surface/tracks";
import { countsAsOwn } from "../accounts/member-queries";
import { matchesListing, textColumns } from "../catalog/listing-queries";
import type { Db } from "../platform/database/connect";
import {
  isBeyondId,
  isBeyondKey,
  type KeyCursor,
  type Position,
  sortBy,
  sortByKey,
  type Sorting,
} from "../platform/database/paging";

/** Older failures are history: they stay on the installation's page. */
const DEAD_DAYS = 7;

const isLive = (organizationId: string) =>
  and(
    eq(installations.organizationId, organizationId),
    notInArray(installations.state, ["UNINSTALLING", "UNINSTALLED"]),
  );

/** Of each installation, how many events were not delivered lately. */
export async function selectDeadDeliveries(db: Db, organizationId: string) {
  const since = min(deliveries.createdAt);
  const rows = await db
    .select({ id: installations.id, count: count(deliveries.id), since })
    .from(deliveries)
    .innerJoin(installations, eq(installations.id, deliveries.installationId))
    .where(
      and(
        isLive(organizationId),
        eq(deliveries.state, "DEAD"),
        gt(deliveries.settledAt, sql`now() - make_interval(days => ${DEAD_DAYS})`),
      ),
    )
    .groupBy(installations.id);
  return new Map(rows.flatMap(({ id, count, since }) => (since === null ? [] : [[id, { count, since }]])));
}

/** Installations with mappings that were saved for an earlier schema of a product. */
export async function selectChangedProducts(db: Db, organizationId: string) {
  const rows = await db
    .select({
      id: installations.id,
      products: sql<string[]>`array_agg(${products.name} order by ${products.name})`,
      changedAt: sql`max(${products.changedAt})`.mapWith(products.changedAt),
    })
    .from(installations)
    .innerJoin(
      configurations,
      and(
        eq(configurations.installationId, installations.id),
        eq(configurations.revision, installations.revision),
      ),
    )
    .innerJoin(products, eq(products.tenantId, installations.tenantId))
    .where(
      and(
        isLive(organizationId),
        // As `changedSinceMapped` of merge-configuration.ts: an unknown digest counts as unchanged.
        ne(products.schemaDigest, ""),
        sql`coalesce(nullif(${configurations.schemaDigests} ->> ${products.name}, ''), ${products.schemaDigest}) <> ${products.schemaDigest}`,
      ),
    )
    .groupBy(installations.id);
  return new Map(rows.map(({ id, ...changed }) => [id, changed]));
}

const ALWAYS = sql.raw("null::timestamptz as since, null::timestamptz as until");

/** Calls of the organization's installations, for `selectCallsOfDay`. */
export const ownInstallations = (organizationId: string) => sql`
  select id, organization_id, id::text as key, ${ALWAYS} from installations
   where organization_id = ${organizationId} and state <> 'UNINSTALLED'`;

/** What other organizations run of the listings of this one, for `selectCallsOfDay`: nobody moves the figures of their own app. */
export const customersOfListings = (organizationId: string) => sql`
  select i.id, i.organization_id, i.listing_id::text as key, ${ALWAYS}
    from installations i join listings l on l.id = i.listing_id
   where l.organization_id = ${organizationId} and not ${countsAsOwn(sql`i.organization_id`, organizationId)}
     and not i.test and i.evidence_id is null`;

const PROGRESS = (organizationId: string) => sql`
  with own as (select id, app_name, state from ${listings} where organization_id = ${organizationId} and state <> 'RETIRED'),
       launched as (
         select i.test, i.state from ${installations} i join ${tenants} t on t.id = i.tenant_id and t.trial_ends_at is null
          where i.organization_id = ${organizationId})
  select (select app_name from own order by id desc limit 1) as "appName",
         (select count(*)::int from own) as "listings",
         (select count(*)::int from own where state = 'PUBLIC') as "publicListings",
         exists (select from ${versions} v join own on own.id = v.listing_id) as "hasVersion",
         exists (select from ${reviews} r join own on own.id = r.listing_id) as "hasSubmission",
         (select count(*)::int from launched where test) as "testLaunches",
         (select count(*)::int from launched where not test) as "launches",
         (select count(*)::int from launched where state <> 'UNINSTALLED') as "installed",
         (select count(*)::int from ${tenants}
           where organization_id = ${organizationId} and disconnected_at is null and not sandbox) as "tenants",
         (select count(*)::int from ${launchRequests}
           where organization_id = ${organizationId} and state = 'OPEN') as "openRequests"`;

interface Counted extends Progress {
  /** Requests to launch an app that no owner decided about. */
  openRequests: number;
}

export async function selectProgress(db: Db, organizationId: string): Promise<Counted> {
  const { rows } = await db.execute<Counted & Record<string, unknown>>(PROGRESS(organizationId));
  const [progress] = rows;
  if (progress === undefined) throw new Error("a query without a FROM returned no row");
  return progress;
}

/** How many reviews wait for a moderator, since when, how many of them are overdue, and how many reports are open. */
export async function selectWaitingReviews(db: Db) {
  const overdue = sql<number>`(count(*) filter (where ${reviews.dueAt} < now()))::int`;
  const reports = sql<number>`(select count(*)::int from ${listingReports} where closed_at is null)`;
  const [waiting] = await db
    .select({ count: count(reviews.id), oldest: min(reviews.createdAt), overdue, reports })
    .from(reviews)
    .where(eq(reviews.state, "PENDING"));
  return waiting ?? { count: 0, oldest: null, overdue: 0, reports: 0 };
}

/** More drafts, and larger ones, are not checked here, because a page must not wait for them. */
const CHECKED_DRAFTS = 20;
const DRAFT_CHARACTERS = 200_000;

/** @param listingId only this one */
const isOwn = (organizationId: string, listingId?: string) =>
  and(
    eq(listings.organizationId, organizationId),
    ne(listings.state, "RETIRED"),
    listingId === undefined ? undefined : eq(listings.id, listingId),
  );

export const LISTING_ORDERS = ["newest", "title", "customers"] as const;

interface FoundListings {
  search?: string;
  withRetired?: boolean;
}

interface OwnListingsFilter extends FoundListings {
  order?: (typeof LISTING_ORDERS)[number];
  position?: Position<KeyCursor>;
  /** The ids of those that come first, in this order. */
  first?: readonly string[];
  offset?: number;
  limit: number;
}

const isFound = (organizationId: string, { search, withRetired = false }: FoundListings) =>
  and(
    withRetired ? eq(listings.organizationId, organizationId) : isOwn(organizationId),
    matchesListing(search),
  );

export async function countOwnListings(db: Db, organizationId: string, filter: FoundListings) {
  return db.$count(listings, isFound(organizationId, filter));
}

const TITLE: Sorting = { by: listings.title, type: "text", order: "ascending" };

/** Listings of the organization with their newest version and its review. */
export async function selectOwnListings(
  db: Db,
  organizationId: string,
  { order = "newest", position, first = [], offset = 0, limit, ...filter }: OwnListingsFilter,
) {
  const customers = sql<number>`(
    select count(distinct i.organization_id)::int from ${installations} i
     where i.listing_id = ${listings.id} and not i.test and not ${countsAsOwn(sql`i.organization_id`, organizationId)}
       and i.evidence_id is null and i.state not in ('UNINSTALLING', 'UNINSTALLED'))`;
  // Of the versions that should run for customers, none of whose instances does, and the last one of which failed.
  const broken = sql<{ number: string; installations: number; at: string } | null>`(
    select json_build_object('number', v.number, 'installations', count(*), 'at', last.ended_at)
      from ${versions} v
      join ${installations} i on i.version_id = v.id
      join lateral (select n.state, n.ended_at from ${instances} n where n.version_id = v.id and n.state <> 'STARTING'
                     order by n.state = 'READY' desc, n.id desc limit 1) last on last.state = 'FAILED'
     where v.listing_id = ${listings.id} and i.state in ('LAUNCHING', 'RUNNING', 'ERROR') and not i.test
       and i.evidence_id is null and not ${countsAsOwn(sql`i.organization_id`, organizationId)}
     group by v.id, last.ended_at order by count(*) desc, v.id desc limit 1)`;
  const byTitle = sortByKey(TITLE, position, listings.id);
  const orders = {
    newest: sortBy("descending", position, listings.id),
    title: byTitle,
    customers: [desc(customers), ...byTitle],
  };
  const isBeyondPosition =
    order === "newest"
      ? isBeyondId(position, listings.id, "descending")
      : isBeyondKey(TITLE, position, listings.id);
  const ranked =
    first.length === 0
      ? []
      : [sql`array_position(${sql.param([...first])}::uuid[], ${listings.id}) nulls last`];
  const newest = db
    .select({
      id: versions.id,
      number: versions.number,
      createdAt: versions.createdAt,
      verifiedAt: versions.verifiedAt,
    })
    .from(versions)
    .where(eq(versions.listingId, listings.id))
    .orderBy(desc(versions.id))
    .limit(1)
    .as("newest");
  const reviewed = db
    .select({
      id: reviews.id,
      versionId: reviews.versionId,
      state: reviews.state,
      note: reviews.note,
      decidedAt: reviews.decidedAt,
    })
    .from(reviews)
    .where(and(eq(reviews.listingId, listings.id), eq(reviews.kind, "VERSION")))
    .orderBy(desc(reviews.id))
    .limit(1)
    .as("reviewed");
  const reviewedVersion = alias(versions, "reviewed_version");
  const rows = await db
    .select({
      id: listings.id,
      appName: listings.appName,
      title: listings.title,
      state: listings.state,
      number: newest.number,
      createdAt: newest.createdAt,
      verifiedAt: newest.verifiedAt,
      isSubmitted: sql<boolean>`exists (
        select from ${reviews} r where r.version_id = ${newest.id} and r.state <> 'WITHDRAWN')`,
      verified: sql<string | null>`(
        select v.number from ${versions} v where v.listing_id = ${listings.id} and v.verified_at is not null
         order by v.id desc limit 1)`,
      customers,
      broken,
      reviewId: reviewed.id,
      reviewState: reviewed.state,
      reviewNote: reviewed.note,
      decidedAt: reviewed.decidedAt,
      reviewNumber: reviewedVersion.number,
    })
    .from(listings)
    .leftJoinLateral(newest, sql`true`)
    .leftJoinLateral(reviewed, sql`true`)
    .leftJoin(reviewedVersion, eq(reviewedVersion.id, reviewed.versionId))
    .where(and(isFound(organizationId, filter), isBeyondPosition))
    .orderBy(...ranked, ...orders[order])
    .limit(limit)
    .offset(offset);
  return rows.map(
    ({
      number,
      createdAt,
      verifiedAt,
      isSubmitted,
      reviewId,
      reviewState,
      reviewNumber,
      broken: down,
      ...row
    }) => ({
      ...row,
      broken: down && { ...down, at: new Date(down.at) },
      newest:
        number === null || createdAt === null
          ? null
          : { number, createdAt, isVerified: verifiedAt !== null, isSubmitted },
      review:
        reviewId === null || reviewState === null
          ? null
          : {
              id: reviewId,
              state: reviewState,
              note: row.reviewNote ?? "",
              number: reviewNumber ?? "",
              decidedAt: row.decidedAt,
            },
    }),
  );
}

/** How many drafts of manifests there are, and those that can be checked. */
export async function selectManifestDrafts(db: Db, organizationId: string, listingId?: string) {
  const isChecked = sql<boolean>`length(${manifestDrafts.text}) < ${DRAFT_CHARACTERS}`;
  const rows = await db
    .select({
      listingId: listings.id,
      text: sql<string>`case when ${isChecked} then ${manifestDrafts.text} else '""' end`.mapWith(
        manifestDrafts.text,
      ),
      isChecked,
      updatedAt: manifestDrafts.updatedAt,
      all: sql<number>`count(*) over ()`.mapWith(Number),
    })
    .from(manifestDrafts)
    .innerJoin(listings, eq(listings.id, manifestDrafts.listingId))
    .where(isOwn(organizationId, listingId))
    .orderBy(desc(isChecked), desc(manifestDrafts.updatedAt))
    .limit(CHECKED_DRAFTS);
  const drafts = rows.filter((row) => row.isChecked);
  return { drafts, unchecked: (rows[0]?.all ?? 0) - drafts.length };
}

/** Drafts of texts of listings that were public, without those in review. */
export async function selectTextDrafts(db: Db, organizationId: string, listingId?: string) {
  const inReview = db
    .select({ id: reviews.id })
    .from(reviews)
    .where(and(eq(reviews.listingId, listings.id), eq(reviews.kind, "TEXT"), eq(reviews.state, "PENDING")));
  return db
    .select({
      listingId: listings.id,
      publicText: textColumns,
      text: listingDrafts.text,
      updatedAt: listingDrafts.updatedAt,
    })
    .from(listingDrafts)
    .innerJoin(listings, eq(listings.id, listingDrafts.listingId))
    .where(
      and(
        isOwn(organizationId, listingId),
        inArray(listings.state, ["PUBLIC", "SUSPENDED"]),
        notExists(inReview),
      ),
    )
    .orderBy(desc(listingDrafts.updatedAt));
}
