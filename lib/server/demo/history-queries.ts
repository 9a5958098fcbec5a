import { and, eq, getTableColumns, inArray, notInArray, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { attempts, attemptStateReads, deliveries, events } from "@/drizzle/schema/deliveries";
import { installations } from "@/drizzle/schema/installations";
import { routes } from "@/drizzle/schema/routes";
import { listings } from "@/drizzle/schema/listings";
import { organizations } from "@/drizzle/schema/organizations";
import type { Db } from "../database/connect";

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
