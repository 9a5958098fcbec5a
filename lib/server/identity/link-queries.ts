import { and, eq, lte, gt, sql } from "drizzle-orm";
import { accountLinks, type LINK_KINDS } from "@/drizzle/schema/identity";
import type { Db } from "../database/connect";

export type LinkKind = (typeof LINK_KINDS)[number];

/** Also removes the links that have expired. */
export async function insertLink(tx: Db, row: typeof accountLinks.$inferInsert): Promise<void> {
  await tx.delete(accountLinks).where(lte(accountLinks.expiresAt, sql`now()`));
  await tx.insert(accountLinks).values(row);
}

/** Undefined if no such link works. Of two transactions at the same time, one gets it. */
export async function deleteLink(tx: Db, kind: LinkKind, hash: string) {
  const [link] = await tx
    .delete(accountLinks)
    .where(
      and(eq(accountLinks.hash, hash), eq(accountLinks.kind, kind), gt(accountLinks.expiresAt, sql`now()`)),
    )
    .returning({ userId: accountLinks.userId, content: accountLinks.content });
  return link;
}

export async function deleteLinksOfUser(tx: Db, userId: string): Promise<void> {
  await tx.delete(accountLinks).where(eq(accountLinks.userId, userId));
}
