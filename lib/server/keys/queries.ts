import { and, asc, count, desc, eq, gt, isNull, ne, sql } from "drizzle-orm";
import { signingKeys } from "@/drizzle/schema/audit";
import { dataKeys } from "@/drizzle/schema/installations";
import type { Db } from "../database/connect";

export type DataKeyRow = typeof dataKeys.$inferSelect;
export type SigningKeyRow = typeof signingKeys.$inferSelect;

export async function selectDataKey(db: Db, organizationId: string): Promise<DataKeyRow | undefined> {
  const [row] = await db.select().from(dataKeys).where(eq(dataKeys.organizationId, organizationId));
  return row;
}

/** Inserts unless another transaction was first; read it back to learn which key counts. */
export async function insertDataKey(db: Db, row: typeof dataKeys.$inferInsert): Promise<void> {
  await db.insert(dataKeys).values(row).onConflictDoNothing();
}

export async function selectSigningKeys(db: Db): Promise<SigningKeyRow[]> {
  return db
    .select()
    .from(signingKeys)
    .where(isNull(signingKeys.retiredAt))
    .orderBy(desc(signingKeys.createdAt));
}

/** Inserts the very first signing key; when another process was first, nothing happens and that one counts. */
export async function insertFirstSigningKey(db: Db, row: typeof signingKeys.$inferInsert): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('signing-keys', 0))`);
    const [existing] = await tx.select({ id: signingKeys.id }).from(signingKeys).limit(1);
    if (existing === undefined) await tx.insert(signingKeys).values(row);
  });
}

/** Up to `limit` data keys after `cursor` that another master key than this wraps, in the order of their organizations. */
export async function selectDataKeysOfOthers(
  db: Db,
  masterKeyId: string,
  cursor: string | undefined,
  limit: number,
): Promise<DataKeyRow[]> {
  const after = cursor === undefined ? undefined : gt(dataKeys.organizationId, cursor);
  return db
    .select()
    .from(dataKeys)
    .where(and(ne(dataKeys.masterKeyId, masterKeyId), after))
    .orderBy(asc(dataKeys.organizationId))
    .limit(limit);
}

/** True when this call replaced exactly what was read; false when someone was first. */
export async function replaceWrappedDataKey(
  db: Db,
  read: DataKeyRow,
  next: Pick<DataKeyRow, "wrapped" | "masterKeyId">,
): Promise<boolean> {
  const replaced = await db
    .update(dataKeys)
    .set({ wrapped: next.wrapped, masterKeyId: next.masterKeyId })
    .where(
      and(
        eq(dataKeys.organizationId, read.organizationId),
        eq(dataKeys.masterKeyId, read.masterKeyId),
        eq(dataKeys.wrapped, read.wrapped),
      ),
    )
    .returning({ organizationId: dataKeys.organizationId });
  return replaced.length === 1;
}

/** Retired ones among them: they are few. */
export async function selectSigningKeysOfOthers(db: Db, masterKeyId: string): Promise<SigningKeyRow[]> {
  return db.select().from(signingKeys).where(ne(signingKeys.masterKeyId, masterKeyId));
}

/** True when this call replaced exactly what was read; false when someone was first. */
export async function replaceWrappedSigningKey(
  db: Db,
  read: SigningKeyRow,
  next: Pick<SigningKeyRow, "wrapped" | "masterKeyId">,
): Promise<boolean> {
  const replaced = await db
    .update(signingKeys)
    .set({ wrapped: next.wrapped, masterKeyId: next.masterKeyId })
    .where(
      and(
        eq(signingKeys.id, read.id),
        eq(signingKeys.masterKeyId, read.masterKeyId),
        eq(signingKeys.wrapped, read.wrapped),
      ),
    )
    .returning({ id: signingKeys.id });
  return replaced.length === 1;
}

export async function countWrappedKeys(db: Db): Promise<{
  dataKeys: { keyId: string; count: number }[];
  signingKeys: { keyId: string; count: number }[];
}> {
  return {
    dataKeys: await db
      .select({ keyId: dataKeys.masterKeyId, count: count() })
      .from(dataKeys)
      .groupBy(dataKeys.masterKeyId),
    signingKeys: await db
      .select({ keyId: signingKeys.masterKeyId, count: count() })
      .from(signingKeys)
      .groupBy(signingKeys.masterKeyId),
  };
}
