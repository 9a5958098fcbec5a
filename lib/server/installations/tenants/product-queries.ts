import { createHash } from "node:crypto";
import { and, eq, notInArray, sql } from "drizzle-orm";
import { products, tenants } from "@/drizzle/schema/installations-tenants";
import type { ProductsRead } from "@/lib/contract/platform/core";
import type { Db } from "../../platform/database/connect";
import type { CoreProduct } from "../../platform/requests/try-core";

/**
 * Replaces the tenant's products with those that the core listed, and returns the differences. A product stored before
 * schemas had digests gets one without counting as changed.
 */
export async function replaceProducts(
  tx: Db,
  tenantId: string,
  listed: readonly CoreProduct[],
): Promise<ProductsRead> {
  const before = await lockDigests(tx, tenantId);
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

/** By product name. Locks the tenant so that of two simultaneous refreshes only one reports a change; events are not blocked. */
async function lockDigests(tx: Db, tenantId: string): Promise<Map<string, string>> {
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

/** SHA-256 (hex) of a JSON value with sorted keys: the order of keys makes no difference. */
export function schemaDigest(schema: unknown): string {
  return createHash("sha256").update(sortedJson(schema)).digest("hex");
}

function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${sortedJson(member)}`);
  return `{${members.join(",")}}`;
}
