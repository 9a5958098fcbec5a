import { desc, eq, isNull, sql } from "drizzle-orm";
import { dataKeys, secondFactors } from "@/drizzle/schema/accounts";
import { auditKeys, mails, signingKeys } from "@/drizzle/schema/platform";
import type { Db } from "./database/connect";
import type { KeyPurpose, WrappedKey } from "./keyring";

export type DataKeyRow = typeof dataKeys.$inferSelect;
export type SigningKeyRow = typeof signingKeys.$inferSelect;

export async function selectDataKey(db: Db, organizationId: string): Promise<DataKeyRow | undefined> {
  const [row] = await db.select().from(dataKeys).where(eq(dataKeys.organizationId, organizationId));
  return row;
}

/** Does nothing if another transaction was first. Read the key back to learn which one counts. */
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

/** Does nothing if there is a signing key already. */
export async function insertFirstSigningKey(db: Db, row: typeof signingKeys.$inferInsert): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('signing-keys', 0))`);
    const [existing] = await tx.select({ id: signingKeys.id }).from(signingKeys).limit(1);
    if (existing === undefined) await tx.insert(signingKeys).values(row);
  });
}

const TABLES = {
  "data-key": { table: dataKeys, id: dataKeys.organizationId, wrapped: sql`wrapped` },
  "signing-key": { table: signingKeys, id: signingKeys.id, wrapped: sql`wrapped` },
  "audit-key": { table: auditKeys, id: auditKeys.id, wrapped: sql`wrapped` },
  "second-factor": { table: secondFactors, id: secondFactors.userId, wrapped: sql`wrapped` },
  // Those that were sent have nothing that is wrapped.
  mail: { table: mails, id: mails.id, wrapped: sql`sealed` },
} as const satisfies Record<KeyPurpose, unknown>;

export type StoredKey = WrappedKey & { id: string };

/** The keys that another master key wraps, ordered by id, starting after `after`. */
export async function selectKeysToRewrap(
  db: Db,
  purpose: KeyPurpose,
  masterKeyId: string,
  after: string,
  limit: number,
): Promise<StoredKey[]> {
  const { table, id, wrapped } = TABLES[purpose];
  const { rows } = await db.execute<StoredKey & Record<string, unknown>>(sql`
    select ${id}::text as id, ${wrapped} as wrapped, master_key_id as "masterKeyId" from ${table}
     where master_key_id <> ${masterKeyId} and ${id}::text > ${after} order by 1 limit ${limit}`);
  return rows;
}

/** Some of the keys that a master key wraps. */
export async function selectWrappedKeys(
  db: Db,
  purpose: KeyPurpose,
  masterKeyId: string,
  limit: number,
): Promise<StoredKey[]> {
  const { table, id, wrapped } = TABLES[purpose];
  const { rows } = await db.execute<StoredKey & Record<string, unknown>>(sql`
    select ${id}::text as id, ${wrapped} as wrapped, master_key_id as "masterKeyId" from ${table}
     where master_key_id = ${masterKeyId} limit ${limit}`);
  return rows;
}

/** False if the row is no longer as it was read. */
export async function replaceWrappedKey(
  db: Db,
  purpose: KeyPurpose,
  read: StoredKey,
  next: WrappedKey,
): Promise<boolean> {
  const { table, id, wrapped } = TABLES[purpose];
  const { rowCount } = await db.execute(sql`
    update ${table} set ${wrapped} = ${next.wrapped}, master_key_id = ${next.masterKeyId}
     where ${id}::text = ${read.id} and master_key_id = ${read.masterKeyId} and ${wrapped} = ${read.wrapped}`);
  return rowCount === 1;
}

export async function countWrappedKeys(
  db: Db,
  purpose: KeyPurpose,
): Promise<{ masterKeyId: string; count: number }[]> {
  const { table } = TABLES[purpose];
  const { rows } = await db.execute<{ masterKeyId: string; count: number }>(
    sql`select master_key_id as "masterKeyId", count(*)::int as count from ${table}
         where master_key_id is not null group by 1 order by 1`,
  );
  return rows;
}
