import { and, count, desc, eq, gt, min, ne, notInArray, sql } from "drizzle-orm";
import { deliveries } from "@/drizzle/schema/deliveries";
import { configurations, installations } from "@/drizzle/schema/installations";
import { listings, reviews, versions } from "@/drizzle/schema/listings";
import { products, tenants } from "@/drizzle/schema/tenants";
import type { Progress } from "@/lib/domain/home/list-tracks";
import type { Db } from "../database/connect";

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
        // As `changedSinceMapped` of lib/server/configurations: an unknown digest counts as unchanged.
        ne(products.schemaDigest, ""),
        sql`coalesce(nullif(${configurations.schemaDigests} ->> ${products.name}, ''), ${products.schemaDigest}) <> ${products.schemaDigest}`,
      ),
    )
    .groupBy(installations.id, listings.title, tenants.name);
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

/** How many reviews wait for a moderator, since when, and how many of them are overdue. */
export async function selectWaitingReviews(db: Db) {
  const overdue = sql<number>`(count(*) filter (where ${reviews.dueAt} < now()))::int`;
  const [waiting] = await db
    .select({ count: count(reviews.id), oldest: min(reviews.createdAt), overdue })
    .from(reviews)
    .where(eq(reviews.state, "PENDING"));
  return waiting ?? { count: 0, oldest: null, overdue: 0 };
}
