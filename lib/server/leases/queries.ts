import { and, eq, isNotNull, sql } from "drizzle-orm";
import { installations, upgrades } from "@/drizzle/schema/installations";
import type { Db } from "../database/connect";

const LEASED = { installations, upgrades };
export type LeasedTable = keyof typeof LEASED;

/** The end of a lease from now on. In milliseconds, the precision of a JavaScript date, so that it can be compared. */
export const leaseFor = (seconds: number) =>
  sql<Date>`date_trunc('milliseconds', now()) + make_interval(secs => ${seconds})`;

/** Extends a lease. A row that was settled meanwhile has none, and gets none. */
export async function extendLease(db: Db, name: LeasedTable, id: string, seconds: number): Promise<void> {
  const table = LEASED[name];
  await db
    .update(table)
    .set({ leasedUntil: leaseFor(seconds) })
    .where(and(eq(table.id, id), isNotNull(table.leasedUntil)));
}
