import { and, eq, ne, sql } from "drizzle-orm";
import { tenants } from "@/drizzle/schema/tenants";
import type { Db } from "../database/connect";

/** Holds until the transaction ends: of two organizations that connect one host name at once, the second sees the first. */
export async function lockHost(tx: Db, hostName: string): Promise<void> {
  const name = `host/${hostName.toLowerCase()}`;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}

/** Whether another organization has a tenant of this host name, however it is written. */
export async function isForeignHost(db: Db, organizationId: string, hostName: string): Promise<boolean> {
  const [foreign] = await db
    .select({ id: tenants.id })
    .from(tenants)
    .where(
      and(
        ne(tenants.organizationId, organizationId),
        eq(sql`lower(${tenants.hostName})`, hostName.toLowerCase()),
      ),
    )
    .limit(1);
  return foreign !== undefined;
}
