import { and, count, desc, eq, gt, inArray, isNull, min, ne, notExists, notInArray, sql } from "drizzle-orm";
import { deliveries } from "@/drizzle/schema/calls";
import { listingDrafts, listings, manifestDrafts, reviews, versions } from "@/drizzle/schema/catalog";
import { configurations, installations, products, tenants } from "@/drizzle/schema/installations";
import type { Progress } from "@/lib/domain/surface/tracks";
import { textColumns } from "../catalog/listing-queries";
import type { Db } from "../platform/database/connect";

/** Older failures are history: they stay on the installation's page. */
const DEAD_DAYS = 7;

const installed = {
  id: installations.id,
  title: listings.title,
  tenantName: tenants.name,
  test: installations.test,
};

const isLive = (organizationId: string) =>
  and(
    eq(installations.organizationId, organizationId),
    notInArray(installations.state, ["UNINSTALLING", "UNINSTALLED"]),
  );

export async function selectDeadDeliveries(db: Db, organizationId: string) {
  const since = min(deliveries.createdAt);
  const rows = await db
    .select({ ...installed, count: count(deliveries.id), since })
    .from(deliveries)
    .innerJoin(installations, eq(installations.id, deliveries.installationId))
    .innerJoin(listings, eq(listings.id, installations.listingId))
    .innerJoin(tenants, eq(tenants.id, installations.tenantId))
    .where(
      and(
        isLive(organizationId),
        eq(deliveries.state, "DEAD"),
        gt(deliveries.settledAt, sql`now() - make_interval(days => ${DEAD_DAYS})`),
      ),
    )
    .groupBy(installations.id, listings.title, tenants.name)
    .orderBy(desc(since));
  return rows.flatMap(({ since, ...row }) => (since === null ? [] : [{ ...row, since }]));
}

/** Installations with mappings that were saved for an earlier schema of a product. */
export async function selectChangedProducts(db: Db, organizationId: string) {
  return db
    .select({
      ...installed,
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
    .innerJoin(listings, eq(listings.id, installations.listingId))
    .innerJoin(tenants, eq(tenants.id, installations.tenantId))
    .where(
      and(
        isLive(organizationId),
        // As `changedSinceMapped` of merge-configuration.ts: an unknown digest counts as unchanged.
        ne(products.schemaDigest, ""),
        sql`coalesce(nullif(${configurations.schemaDigests} ->> ${products.name}, ''), ${products.schemaDigest}) <> ${products.schemaDigest}`,
      ),
    )
    .groupBy(installations.id, listings.title, tenants.name);
}

const PROGRESS = (organizationId: string) => sql<Progress>`
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
           where organization_id = ${organizationId} and disconnected_at is null and not sandbox) as "tenants"`;

export async function selectProgress(db: Db, organizationId: string): Promise<Progress> {
  const { rows } = await db.execute<Progress & Record<string, unknown>>(PROGRESS(organizationId));
  const [progress] = rows;
  if (progress === undefined) throw new Error("a query without a FROM returned no row");
  return progress;
}

/** How many reviews wait for a moderator, since when, and how many of them are overdue. */
export async function selectWaitingReviews(db: Db) {
  const overdue = sql<number>`(count(*) filter (where ${reviews.dueAt} < now()))::int`;
  const [waiting] = await db
    .select({ count: count(reviews.id), oldest: min(reviews.createdAt), overdue })
    .from(reviews)
    .where(eq(reviews.state, "PENDING"));
  return waiting ?? { count: 0, oldest: null, overdue: 0 };
}

/** More drafts, and larger ones, are not checked here, because a page must not wait for them. */
const CHECKED_DRAFTS = 20;
const DRAFT_CHARACTERS = 200_000;

const isOwn = (organizationId: string) =>
  and(eq(listings.organizationId, organizationId), ne(listings.state, "RETIRED"));

/** Own listings whose newest review asks for changes or rejects a version. */
export async function selectReturned(db: Db, organizationId: string) {
  const newest = db
    .select({
      versionId: reviews.versionId,
      state: reviews.state,
      note: reviews.note,
      decidedAt: reviews.decidedAt,
    })
    .from(reviews)
    .where(and(eq(reviews.listingId, listings.id), eq(reviews.kind, "VERSION")))
    .orderBy(desc(reviews.id))
    .limit(1)
    .as("newest");
  const rows = await db
    .select({
      appName: listings.appName,
      title: listings.title,
      number: versions.number,
      state: newest.state,
      note: newest.note,
      decidedAt: newest.decidedAt,
    })
    .from(listings)
    .innerJoinLateral(newest, inArray(newest.state, ["CHANGES_REQUESTED", "REJECTED"]))
    .innerJoin(versions, eq(versions.id, newest.versionId))
    .where(isOwn(organizationId))
    .orderBy(desc(newest.decidedAt));
  return rows.flatMap(({ state, decidedAt, ...row }) =>
    decidedAt !== null && (state === "CHANGES_REQUESTED" || state === "REJECTED")
      ? [{ ...row, state, decidedAt }]
      : [],
  );
}

/** The newest version of each own listing, if it was neither verified nor ever submitted. */
export async function selectUnsubmitted(db: Db, organizationId: string) {
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
  const submitted = db
    .select({ id: reviews.id })
    .from(reviews)
    .where(and(eq(reviews.versionId, newest.id), ne(reviews.state, "WITHDRAWN")));
  return db
    .select({
      appName: listings.appName,
      title: listings.title,
      number: newest.number,
      createdAt: newest.createdAt,
    })
    .from(listings)
    .innerJoinLateral(newest, isNull(newest.verifiedAt))
    .where(and(isOwn(organizationId), notExists(submitted)))
    .orderBy(desc(newest.createdAt));
}

/** How many drafts of manifests there are, and those that can be checked. */
export async function selectManifestDrafts(db: Db, organizationId: string) {
  const drafts = await db
    .select({
      listingId: listings.id,
      appName: listings.appName,
      title: listings.title,
      text: manifestDrafts.text,
      updatedAt: manifestDrafts.updatedAt,
    })
    .from(manifestDrafts)
    .innerJoin(listings, eq(listings.id, manifestDrafts.listingId))
    .where(and(isOwn(organizationId), sql`length(${manifestDrafts.text}) < ${DRAFT_CHARACTERS}`))
    .orderBy(desc(manifestDrafts.updatedAt))
    .limit(CHECKED_DRAFTS);
  const all = await db
    .select({ count: count(manifestDrafts.listingId) })
    .from(manifestDrafts)
    .innerJoin(listings, eq(listings.id, manifestDrafts.listingId))
    .where(isOwn(organizationId));
  return { drafts, unchecked: (all[0]?.count ?? 0) - drafts.length };
}

/** Drafts of texts of listings that were public, without those in review. */
export async function selectTextDrafts(db: Db, organizationId: string) {
  const inReview = db
    .select({ id: reviews.id })
    .from(reviews)
    .where(and(eq(reviews.listingId, listings.id), eq(reviews.kind, "TEXT"), eq(reviews.state, "PENDING")));
  return db
    .select({
      appName: listings.appName,
      title: listings.title,
      publicText: textColumns,
      text: listingDrafts.text,
      updatedAt: listingDrafts.updatedAt,
    })
    .from(listingDrafts)
    .innerJoin(listings, eq(listings.id, listingDrafts.listingId))
    .where(and(isOwn(organizationId), inArray(listings.state, ["PUBLIC", "SUSPENDED"]), notExists(inReview)))
    .orderBy(desc(listingDrafts.updatedAt));
}
