import { asc, eq, sql } from "drizzle-orm";
import { audit, auditHeads } from "@/drizzle/schema/audit";
import type { Db } from "../database/connect";

export interface AuditHead {
  position: number;
  seal: string;
  headSeal: string;
}

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

export async function selectAuditChain(db: Db, chain: string): Promise<(typeof audit.$inferSelect)[]> {
  return db.select().from(audit).where(eq(audit.chain, chain)).orderBy(asc(audit.position));
}
