import { and, asc, eq } from "drizzle-orm";
import { users } from "@/drizzle/schema/accounts";
import { hostRefusals } from "@/drizzle/schema/installations";
import type { Db } from "../platform/database/connect";

const isOf = (organizationId: string, listingId: string) =>
  and(eq(hostRefusals.organizationId, organizationId), eq(hostRefusals.listingId, listingId));

/** What the organization refused to the listing's app, by host. */
export function selectRefusals(db: Db, organizationId: string, listingId: string) {
  return db
    .select({ host: hostRefusals.host, by: users.name, at: hostRefusals.refusedAt })
    .from(hostRefusals)
    .innerJoin(users, eq(users.id, hostRefusals.refusedBy))
    .where(isOf(organizationId, listingId))
    .orderBy(asc(hostRefusals.host));
}

/** The names alone. */
export async function selectRefusedHosts(
  db: Db,
  organizationId: string,
  listingId: string,
): Promise<string[]> {
  const found = await db
    .select({ host: hostRefusals.host })
    .from(hostRefusals)
    .where(isOf(organizationId, listingId));
  return found.map(({ host }) => host);
}

/** False if it was refused already. */
export async function insertRefusal(
  tx: Db,
  row: { organizationId: string; listingId: string; host: string; refusedBy: string },
): Promise<boolean> {
  const added = await tx.insert(hostRefusals).values(row).onConflictDoNothing().returning();
  return added.length > 0;
}

/** False if it was not refused. */
export async function deleteRefusal(
  tx: Db,
  { organizationId, listingId, host }: { organizationId: string; listingId: string; host: string },
): Promise<boolean> {
  const removed = await tx
    .delete(hostRefusals)
    .where(and(isOf(organizationId, listingId), eq(hostRefusals.host, host)))
    .returning();
  return removed.length > 0;
}
