import { and, asc, eq } from "drizzle-orm";
import { linkedIdentities } from "@/drizzle/schema/identity";
import type { Db } from "../database/connect";

export async function selectLinkedUser(db: Db, issuer: string, subject: string): Promise<string | undefined> {
  const [row] = await db
    .select({ userId: linkedIdentities.userId })
    .from(linkedIdentities)
    .where(and(eq(linkedIdentities.issuer, issuer), eq(linkedIdentities.subject, subject)));
  return row?.userId;
}

/** False if the identity is linked already. */
export async function insertIdentity(tx: Db, row: typeof linkedIdentities.$inferInsert): Promise<boolean> {
  const { rowCount } = await tx.insert(linkedIdentities).values(row).onConflictDoNothing();
  return rowCount === 1;
}

export async function selectIdentities(db: Db, userId: string) {
  return db
    .select({
      issuer: linkedIdentities.issuer,
      email: linkedIdentities.email,
      createdAt: linkedIdentities.createdAt,
    })
    .from(linkedIdentities)
    .where(eq(linkedIdentities.userId, userId))
    .orderBy(asc(linkedIdentities.createdAt));
}

/** False if nothing was linked. */
export async function deleteIdentities(tx: Db, userId: string): Promise<boolean> {
  const { rowCount } = await tx.delete(linkedIdentities).where(eq(linkedIdentities.userId, userId));
  return (rowCount ?? 0) > 0;
}
