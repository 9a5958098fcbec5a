import { and, asc, eq, gt, ne, sql } from "drizzle-orm";
import { audit, auditHeads, auditResealings } from "@/drizzle/schema/audit";
import type { Db } from "../database/connect";
import type { Resealing } from "./seal-audit";

export interface AuditHead {
  position: number;
  seal: string;
  headSeal: string;
}

export type AuditRow = typeof audit.$inferSelect;

/** The end of a chain, locked until the transaction ends, so that rows of one chain follow each other. */
export async function lockAuditHead(tx: Db, chain: string): Promise<AuditHead | undefined> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`audit/${chain}`}, 0))`);
  return readAuditHead(tx, chain);
}

export async function readAuditHead(db: Db, chain: string): Promise<AuditHead | undefined> {
  const [head] = await db.select().from(auditHeads).where(eq(auditHeads.chain, chain));
  return head;
}

export async function insertAuditRow(
  tx: Db,
  row: typeof audit.$inferInsert,
  headSeal: string,
): Promise<void> {
  await tx.insert(audit).values(row);
  const { chain, position, seal } = row;
  await tx
    .insert(auditHeads)
    .values({ chain, position, seal, headSeal })
    .onConflictDoUpdate({ target: auditHeads.chain, set: { position, seal, headSeal } });
}

/** First statement of a transaction: all that it reads is of one moment, whatever is written meanwhile. */
export async function readOneMoment(tx: Db): Promise<void> {
  await tx.execute(sql`set transaction isolation level repeatable read, read only`);
}

/** Up to `limit` rows after `position`, in order. A chain may be larger than memory. */
export async function selectAuditRows(
  db: Db,
  chain: string,
  position: number,
  limit: number,
): Promise<AuditRow[]> {
  return db
    .select()
    .from(audit)
    .where(and(eq(audit.chain, chain), gt(audit.position, position)))
    .orderBy(asc(audit.position))
    .limit(limit);
}

export async function selectAuditSeal(db: Db, chain: string, position: number): Promise<string | undefined> {
  const [row] = await db
    .select({ seal: audit.seal })
    .from(audit)
    .where(and(eq(audit.chain, chain), eq(audit.position, position)));
  return row?.seal;
}

const keyOf = (seal: typeof audit.seal | typeof auditHeads.headSeal | typeof auditResealings.seal) =>
  sql<string>`split_part(${seal}, ':', 1)`;

/** The first row that another key than this seals. */
export async function selectFirstOfOtherKey(
  db: Db,
  chain: string,
  keyId: string,
): Promise<number | undefined> {
  const [row] = await db
    .select({ position: audit.position })
    .from(audit)
    .where(and(eq(audit.chain, chain), ne(keyOf(audit.seal), keyId)))
    .orderBy(asc(audit.position))
    .limit(1);
  return row?.position;
}

export async function selectAuditChains(db: Db): Promise<string[]> {
  const rows = await db
    .select({ chain: audit.chain })
    .from(audit)
    .union(db.select({ chain: auditHeads.chain }).from(auditHeads))
    .orderBy(asc(audit.chain));
  return rows.map((row) => row.chain);
}

/** How many seals of the trails each master key has made. Reads all of them, so no time limit holds here. */
export async function countAuditSeals(db: Db): Promise<{ keyId: string; count: number }[]> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 0`);
    const { rows } = await tx.execute<{ keyId: string; count: number }>(sql`
      select key as "keyId", sum(n)::int as count from (
        select ${keyOf(audit.seal)} as key, count(*) as n from ${audit} group by 1
        union all select ${keyOf(auditHeads.headSeal)}, count(*) from ${auditHeads} group by 1
        union all select ${keyOf(auditResealings.seal)}, count(*) from ${auditResealings} group by 1
      ) seals group by 1 order by 1`);
    return rows;
  });
}

export async function selectResealing(db: Db, chain: string): Promise<Resealing | undefined> {
  const [row] = await db.select().from(auditResealings).where(eq(auditResealings.chain, chain));
  return row;
}

export async function upsertResealing(tx: Db, row: Resealing): Promise<void> {
  const { position, before, seal } = row;
  await tx
    .insert(auditResealings)
    .values(row)
    .onConflictDoUpdate({ target: auditResealings.chain, set: { position, before, seal } });
}

export async function deleteResealing(tx: Db, chain: string): Promise<void> {
  await tx.delete(auditResealings).where(eq(auditResealings.chain, chain));
}

/** Puts new seals on rows; the caller holds the chain's lock. */
export async function updateAuditSeals(
  tx: Db,
  chain: string,
  seals: readonly { position: number; seal: string }[],
): Promise<void> {
  const positions = sql.param(seals.map((one) => one.position));
  const texts = sql.param(seals.map((one) => one.seal));
  const { rowCount } = await tx.execute(sql`
    update ${audit} set seal = fresh.seal
      from unnest(${positions}::int[], ${texts}::text[]) as fresh (position, seal)
     where ${audit.chain} = ${chain} and ${audit.position} = fresh.position`);
  if (rowCount !== seals.length) throw new Error(`rows of the audit chain ${chain} are gone`);
}

export async function updateAuditHead(tx: Db, chain: string, head: AuditHead): Promise<void> {
  const { position, seal, headSeal } = head;
  await tx.update(auditHeads).set({ position, seal, headSeal }).where(eq(auditHeads.chain, chain));
}
