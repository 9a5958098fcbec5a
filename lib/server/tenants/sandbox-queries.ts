import { and, eq, sql } from "drizzle-orm";
import { tenants } from "@/drizzle/schema/tenants";
import type { Db } from "../database/connect";

/** Of any organization's. */
export async function selectSandboxes(db: Db) {
  return db
    .select({
      id: tenants.id,
      organizationId: tenants.organizationId,
      hostName: tenants.hostName,
      coreApiUrl: tenants.coreApiUrl,
    })
    .from(tenants)
    .where(eq(tenants.sandbox, true));
}

export async function selectSandbox(db: Db, organizationId: string): Promise<string | undefined> {
  const [tenant] = await db
    .select({ id: tenants.id })
    .from(tenants)
    .where(and(eq(tenants.organizationId, organizationId), eq(tenants.sandbox, true)));
  return tenant?.id;
}

/** Holds until the transaction ends: an organization gets one sandbox, however often it is asked for at once. */
export async function lockSandbox(tx: Db, organizationId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`sandbox/${organizationId}`}, 0))`);
}

export async function selectTenantNames(db: Db, organizationId: string): Promise<string[]> {
  const rows = await db
    .select({ name: tenants.name })
    .from(tenants)
    .where(eq(tenants.organizationId, organizationId));
  return rows.map((row) => row.name);
}
