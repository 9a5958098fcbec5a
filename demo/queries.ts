import { and, desc, eq, getTableColumns, inArray, notInArray, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { organizations } from "@/drizzle/schema/accounts";
import { attempts, attemptStateReads, deliveries, events, routes } from "@/drizzle/schema/calls";
import { listings, reviews, versions } from "@/drizzle/schema/catalog";
import { installations } from "@/drizzle/schema/installations";
import { tenants } from "@/drizzle/schema/installations-tenants";
import type { Db } from "@/lib/server/platform/database/connect";

/** A listing with its newest version and that version's pending review, if any. */
export async function selectListing(db: Db, organizationId: string, appName: string) {
  const [row] = await db
    .select({
      id: listings.id,
      versionId: versions.id,
      verifiedAt: versions.verifiedAt,
      reviewId: reviews.id,
    })
    .from(listings)
    .leftJoin(versions, eq(versions.listingId, listings.id))
    .leftJoin(reviews, and(eq(reviews.versionId, versions.id), eq(reviews.state, "PENDING")))
    .where(and(eq(listings.organizationId, organizationId), eq(listings.appName, appName)))
    .orderBy(desc(versions.createdAt))
    .limit(1);
  return row;
}

export async function selectDemoTenant(db: Db, organizationSlug: string, hostName: string) {
  const [tenant] = await db
    .select({
      id: tenants.id,
      organizationId: tenants.organizationId,
      hostName: tenants.hostName,
      coreApiUrl: tenants.coreApiUrl,
    })
    .from(tenants)
    .innerJoin(organizations, eq(organizations.id, tenants.organizationId))
    .where(and(eq(organizations.slug, organizationSlug), eq(tenants.hostName, hostName)))
    .orderBy(desc(tenants.id))
    .limit(1);
  return tenant;
}

export async function hasInstallation(db: Db, tenantId: string, listingId: string): Promise<boolean> {
  const ofListing = and(eq(installations.tenantId, tenantId), eq(installations.listingId, listingId));
  return (await db.$count(installations, ofListing)) > 0;
}

export async function countLaunching(db: Db): Promise<number> {
  return db.$count(installations, eq(installations.state, "LAUNCHING"));
}

/** Rows of one statement. */
const BATCH = 2_000;

/** Routes of the customers' installations of these apps without calls from before they were launched. */
export async function selectRoutesWithoutHistory(
  db: Db,
  { customers, apps }: { customers: readonly string[]; apps: readonly string[] },
) {
  // Ids are UUIDv7, so they sort by time.
  const hasHistory = sql`exists (select from ${attempts} where ${attempts.installationId} = ${installations.id} and ${attempts.id} < ${installations.id})`;
  return db
    .select({
      id: routes.id,
      kind: routes.kind,
      path: routes.path,
      organizationId: installations.organizationId,
      installationId: installations.id,
      tenantId: installations.tenantId,
    })
    .from(routes)
    .innerJoin(installations, eq(installations.id, routes.installationId))
    .innerJoin(listings, eq(listings.id, installations.listingId))
    .innerJoin(organizations, eq(organizations.id, installations.organizationId))
    .where(
      and(
        inArray(organizations.slug, [...customers]),
        inArray(listings.appName, [...apps]),
        eq(installations.test, false),
        inArray(routes.kind, ["autofill", "rater", "webhook"]),
        notInArray(installations.state, ["UNINSTALLING", "UNINSTALLED"]),
        sql`not ${hasHistory}`,
      ),
    )
    .orderBy(routes.id);
}

export interface History {
  events: (typeof events.$inferInsert)[];
  deliveries: (typeof deliveries.$inferInsert)[];
  attempts: (typeof attempts.$inferInsert)[];
  reads: (typeof attemptStateReads.$inferInsert)[];
}

export async function insertHistory(tx: Db, history: History): Promise<void> {
  await insertRows(tx, events, history.events);
  await insertRows(tx, deliveries, history.deliveries);
  await insertRows(tx, attempts, history.attempts);
  await insertRows(tx, attemptStateReads, history.reads);
}

/** As JSON, because a statement with a parameter for each value is slow to build and to parse. */
async function insertRows<Table extends PgTable>(
  tx: Db,
  table: Table,
  rows: Table["$inferInsert"][],
): Promise<void> {
  const columns = Object.entries(getTableColumns(table)).filter(([key]) => rows.some((row) => key in row));
  const names = sql.join(
    columns.map(([, { name }]) => sql.identifier(name)),
    sql`, `,
  );
  for (let start = 0; start < rows.length; start += BATCH) {
    const batch = rows
      .slice(start, start + BATCH)
      .map((row) => Object.fromEntries(columns.map(([key, { name }]) => [name, Reflect.get(row, key)])));
    await tx.execute(
      sql`insert into ${table} (${names}) select ${names} from json_populate_recordset(null::${table}, ${JSON.stringify(batch)}::json)`,
    );
  }
}
