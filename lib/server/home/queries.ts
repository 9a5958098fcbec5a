import { and, count, desc, eq, gt, inArray, min, ne, notExists, notInArray, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { deliveries } from "@/drizzle/schema/deliveries";
import { configurations, installations } from "@/drizzle/schema/installations";
import { listings, manifestDrafts, reviews, versions } from "@/drizzle/schema/listings";
import { products, tenants } from "@/drizzle/schema/tenants";
import type { Progress } from "@/lib/domain/home/list-tracks";
import type { Db } from "../database/connect";

/** Older failures are history: they stay on the installation's page. */
const DEAD_DAYS = 7;
const DRAFTS = 20;
/** Larger drafts are not checked here, because a page must not wait for them. */
const DRAFT_CHARACTERS = 200_000;

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
        // As `changedSinceMapped` of lib/server/configurations: an unknown digest counts as unchanged.
        ne(products.schemaDigest, ""),
        sql`coalesce(nullif(${configurations.schemaDigests} ->> ${products.name}, ''), ${products.schemaDigest}) <> ${products.schemaDigest}`,
      ),
    )
    .groupBy(installations.id, listings.title, tenants.name);
}

/** Own listings whose newest review asks for changes or rejects a version. */
export async function selectReturned(db: Db, organizationId: string) {
  const newer = alias(reviews, "newer");
  const reviewedAgain = db
    .select({ id: newer.id })
    .from(newer)
    .where(
      and(eq(newer.listingId, reviews.listingId), eq(newer.kind, reviews.kind), gt(newer.id, reviews.id)),
    );
  const rows = await db
    .select({
      appName: listings.appName,
      title: listings.title,
      number: versions.number,
      state: reviews.state,
      note: reviews.note,
      decidedAt: reviews.decidedAt,
    })
    .from(reviews)
    .innerJoin(listings, eq(listings.id, reviews.listingId))
    .innerJoin(versions, eq(versions.id, reviews.versionId))
    .where(
      and(
        eq(listings.organizationId, organizationId),
        ne(listings.state, "RETIRED"),
        inArray(reviews.state, ["CHANGES_REQUESTED", "REJECTED"]),
        notExists(reviewedAgain),
      ),
    )
    .orderBy(desc(reviews.decidedAt));
  return rows.flatMap(({ state, decidedAt, ...row }) =>
    decidedAt !== null && (state === "CHANGES_REQUESTED" || state === "REJECTED")
      ? [{ ...row, state, decidedAt }]
      : [],
  );
}

export async function selectDraftTexts(db: Db, organizationId: string) {
  return db
    .select({
      appName: listings.appName,
      title: listings.title,
      text: manifestDrafts.text,
      updatedAt: manifestDrafts.updatedAt,
    })
    .from(manifestDrafts)
    .innerJoin(listings, eq(listings.id, manifestDrafts.listingId))
    .where(
      and(
        eq(listings.organizationId, organizationId),
        ne(listings.state, "RETIRED"),
        sql`length(${manifestDrafts.text}) < ${DRAFT_CHARACTERS}`,
      ),
    )
    .orderBy(desc(manifestDrafts.updatedAt))
    .limit(DRAFTS);
}

const PROGRESS = (organizationId: string) => sql<Progress>`
  with own as (select id, app_name, state from ${listings} where organization_id = ${organizationId} and state <> 'RETIRED'),
       launched as (select test from ${installations} where organization_id = ${organizationId})
  select (select app_name from own order by id desc limit 1) as "appName",
         (select count(*)::int from own) as "listings",
         (select count(*)::int from own where state = 'PUBLIC') as "publicListings",
         (select count(*)::int from ${versions} v join own on own.id = v.listing_id) as "versions",
         (select count(*)::int from ${reviews} r join own on own.id = r.listing_id) as "submissions",
         (select count(*)::int from launched where test) as "testLaunches",
         (select count(*)::int from launched where not test) as "launches",
         (select count(*)::int from ${tenants}
           where organization_id = ${organizationId} and disconnected_at is null and not sandbox) as "tenants"`;

export async function selectProgress(db: Db, organizationId: string): Promise<Progress> {
  const { rows } = await db.execute<Progress & Record<string, unknown>>(PROGRESS(organizationId));
  const [progress] = rows;
  if (progress === undefined) throw new Error("a query without a FROM returned no row");
  return progress;
}

/** How many versions wait for a moderator, and since when. */
export async function selectWaitingReviews(db: Db) {
  const [waiting] = await db
    .select({ count: count(reviews.id), oldest: min(reviews.createdAt) })
    .from(reviews)
    .where(eq(reviews.state, "PENDING"));
  return waiting ?? { count: 0, oldest: null };
}
