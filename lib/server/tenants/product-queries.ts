import { and, eq, notInArray, sql } from "drizzle-orm";
import { products, tenants } from "@/drizzle/schema/tenants";
import type { ProductsRead } from "@/lib/contract/core";
import type { Db } from "../database/connect";
import type { CoreProduct } from "./core-answer";
import { schemaDigest } from "./schema-digest";

/**
 * Makes the tenant's products those that the core listed, and no others; tells what differs. A product that was stored
 * before schemas had digests gets one without counting as changed.
 */
export async function replaceProducts(
  tx: Db,
  tenantId: string,
  listed: readonly CoreProduct[],
): Promise<ProductsRead> {
  const before = await holdDigests(tx, tenantId);
  const names = listed.map((product) => product.name);
  await tx.delete(products).where(and(eq(products.tenantId, tenantId), notInArray(products.name, names)));
  const rows = listed.map(({ name, schema, sample }) => ({
    tenantId,
    name,
    schema,
    schemaDigest: schemaDigest(schema),
    sample,
  }));
  if (rows.length > 0) await upsertProducts(tx, rows);
  return {
    products: names,
    added: names.filter((name) => !before.has(name)),
    removed: [...before.keys()].filter((name) => !names.includes(name)),
    changed: rows
      .filter((row) => !["", undefined, row.schemaDigest].includes(before.get(row.name)))
      .map((row) => row.name),
  };
}

/** By product. The tenant is locked, so that two refreshes at once do not both tell one change; its events go on. */
async function holdDigests(tx: Db, tenantId: string): Promise<Map<string, string>> {
  await tx.select({ id: tenants.id }).from(tenants).where(eq(tenants.id, tenantId)).for("no key update");
  const rows = await tx
    .select({ name: products.name, schemaDigest: products.schemaDigest })
    .from(products)
    .where(eq(products.tenantId, tenantId))
    .orderBy(products.name);
  return new Map(rows.map((row) => [row.name, row.schemaDigest]));
}

async function upsertProducts(tx: Db, rows: (typeof products.$inferInsert)[]): Promise<void> {
  const same = sql`${products.schemaDigest} in ('', excluded.schema_digest)`;
  await tx
    .insert(products)
    .values(rows)
    .onConflictDoUpdate({
      target: [products.tenantId, products.name],
      set: {
        schema: sql`excluded.schema`,
        schemaDigest: sql`excluded.schema_digest`,
        sample: sql`excluded.sample`,
        changedAt: sql`case when ${same} then ${products.changedAt} else now() end`,
        refreshedAt: sql`now()`,
      },
    });
}
