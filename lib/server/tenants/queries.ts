import { and, asc, eq, inArray, notInArray, sql } from "drizzle-orm";
import { products, tenants } from "@/drizzle/schema/tenants";
import type { Db } from "../database/connect";
import type { CoreProduct } from "./read-core-products";

export async function insertTenant(tx: Db, row: typeof tenants.$inferInsert): Promise<void> {
  await tx.insert(tenants).values(row);
}

export async function selectTenant(db: Db, organizationId: string, tenantId: string) {
  const [tenant] = await db
    .select({
      id: tenants.id,
      name: tenants.name,
      hostName: tenants.hostName,
      coreApiUrl: tenants.coreApiUrl,
    })
    .from(tenants)
    .where(and(eq(tenants.id, tenantId), eq(tenants.organizationId, organizationId)));
  return tenant;
}

export async function selectTenants(db: Db, organizationId: string) {
  return db
    .select({
      id: tenants.id,
      name: tenants.name,
      hostName: tenants.hostName,
      coreApiUrl: tenants.coreApiUrl,
      createdAt: tenants.createdAt,
    })
    .from(tenants)
    .where(eq(tenants.organizationId, organizationId))
    .orderBy(asc(tenants.name));
}

/** In the order of the state record. */
export async function selectProducts(db: Db, tenantIds: string[]) {
  if (tenantIds.length === 0) return [];
  return db
    .select({
      tenantId: products.tenantId,
      name: products.name,
      schema: products.schema,
      refreshedAt: products.refreshedAt,
    })
    .from(products)
    .where(inArray(products.tenantId, tenantIds))
    .orderBy(asc(products.name));
}

/** Makes the tenant's products those that the core listed, and no others. */
export async function replaceProducts(tx: Db, tenantId: string, listed: CoreProduct[]): Promise<void> {
  const names = listed.map((product) => product.name);
  await tx.delete(products).where(and(eq(products.tenantId, tenantId), notInArray(products.name, names)));
  if (listed.length === 0) return;
  await tx
    .insert(products)
    .values(listed.map((product) => ({ tenantId, name: product.name, schema: product.schema })))
    .onConflictDoUpdate({
      target: [products.tenantId, products.name],
      set: { schema: sql`excluded.schema`, refreshedAt: sql`now()` },
    });
}
