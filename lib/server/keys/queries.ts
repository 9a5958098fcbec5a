import { desc, eq, isNull, sql } from "drizzle-orm";
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
