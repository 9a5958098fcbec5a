import { and, eq, inArray, notInArray, sql } from "drizzle-orm";
import { attempts, attemptStateReads, deliveries, events } from "@/drizzle/schema/deliveries";
import { installations, routes } from "@/drizzle/schema/installations";
import { listings } from "@/drizzle/schema/listings";
import { organizations } from "@/drizzle/schema/organizations";
import type { Db } from "../database/connect";

/** Rows of one statement, which can have 65,535 parameters. */
const BATCH = 1_000;

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
  for (const batch of divide(history.events)) await tx.insert(events).values(batch);
  for (const batch of divide(history.deliveries)) await tx.insert(deliveries).values(batch);
  for (const batch of divide(history.attempts)) await tx.insert(attempts).values(batch);
  for (const batch of divide(history.reads)) await tx.insert(attemptStateReads).values(batch);
}

function divide<Row>(rows: readonly Row[]): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / BATCH) }, (_, index) =>
    rows.slice(index * BATCH, (index + 1) * BATCH),
  );
}
