import { and, desc, eq, lte, gt, sql } from "drizzle-orm";
import { accountLinks, type LINK_KINDS, pendingSignUps } from "@/drizzle/schema/identity";
import type { Db } from "../database/connect";

export type LinkKind = (typeof LINK_KINDS)[number];

/** Also removes the links that have expired. */
export async function insertLink(tx: Db, row: typeof accountLinks.$inferInsert): Promise<void> {
  await tx.delete(accountLinks).where(lte(accountLinks.expiresAt, sql`now()`));
  await tx.insert(accountLinks).values(row);
}

const linkFields = { userId: accountLinks.userId, content: accountLinks.content };

const works = (kind: LinkKind, hash: string) =>
  and(eq(accountLinks.hash, hash), eq(accountLinks.kind, kind), gt(accountLinks.expiresAt, sql`now()`));

/** Undefined if no such link works. */
export async function selectLink(db: Db, kind: LinkKind, hash: string) {
  const [link] = await db.select(linkFields).from(accountLinks).where(works(kind, hash));
  return link;
}

/** Undefined if no such link works. Of two transactions at the same time, one gets it. */
export async function deleteLink(tx: Db, kind: LinkKind, hash: string) {
  const [link] = await tx.delete(accountLinks).where(works(kind, hash)).returning(linkFields);
  return link;
}

export async function deleteLinksOfUser(tx: Db, userId: string): Promise<void> {
  await tx.delete(accountLinks).where(eq(accountLinks.userId, userId));
}

/** Also removes those that have expired. */
export async function insertPendingSignUp(tx: Db, row: typeof pendingSignUps.$inferInsert): Promise<void> {
  await tx.delete(pendingSignUps).where(lte(pendingSignUps.expiresAt, sql`now()`));
  await tx.insert(pendingSignUps).values(row);
}

/** Those of this requester first, then the newest. */
export async function selectPendingSignUps(db: Db, email: string, requester: string, limit: number) {
  const rows = await db
    .select({ content: pendingSignUps.content })
    .from(pendingSignUps)
    .where(and(eq(pendingSignUps.email, email), gt(pendingSignUps.expiresAt, sql`now()`)))
    .orderBy(desc(eq(pendingSignUps.requester, requester)), desc(pendingSignUps.id))
    .limit(limit);
  return rows.map(({ content }) => content);
}

/** The address has an account now. */
export async function deleteSignUpsOf(tx: Db, email: string): Promise<void> {
  await tx.delete(pendingSignUps).where(eq(pendingSignUps.email, email));
  await tx
    .delete(accountLinks)
    .where(and(eq(accountLinks.kind, "SIGN_UP"), eq(sql`${accountLinks.content} ->> 'email'`, email)));
}
