import { and, asc, eq, gt, sql } from "drizzle-orm";
import { audit, auditHeads } from "@/drizzle/schema/audit";
import type { Db } from "../database/connect";

export interface AuditHead {
  position: number;
  seal: string;
  headSeal: string;
}

export type AuditRow = typeof audit.$inferSelect;

/** The end of a chain, locked until the transaction ends so that rows are added one after another. */
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

/** First statement of a transaction: everything it reads comes from one snapshot. */
export async function useSnapshot(tx: Db): Promise<void> {
  await tx.execute(sql`set transaction isolation level repeatable read, read only`);
}

/** In order, `limit` at a time: a chain may be larger than memory. */
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

export async function selectAuditChains(db: Db): Promise<string[]> {
  const rows = await db
    .select({ chain: audit.chain })
    .from(audit)
    .union(db.select({ chain: auditHeads.chain }).from(auditHeads))
    .orderBy(asc(audit.chain));
  return rows.map((row) => row.chain);
}
