import { and, desc, eq, sql } from "drizzle-orm";
import { users } from "@/drizzle/schema/accounts";
import { listings } from "@/drizzle/schema/catalog";
import { installations, termsAcceptances } from "@/drizzle/schema/installations";
import type { Terms } from "@/lib/contract/catalog/listing";
import type { Db } from "../platform/database/connect";

/** What was accepted last for the installation of the row; null if nothing was. */
export const lastAccepted = sql<Terms | null>`(
  select json_build_object('url', accepted.url, 'version', accepted.version) from ${termsAcceptances} accepted
   where accepted.installation_id = ${installations}.id order by accepted.id desc limit 1)`;

/** The listing's terms, which don't change until the transaction ends, and what was accepted last for the installation. */
export async function lockTerms(tx: Db, { id, listingId }: { id: string; listingId: string }) {
  const [listing] = await tx
    .select({ terms: listings.terms, publisherId: listings.organizationId })
    .from(listings)
    .where(eq(listings.id, listingId))
    .for("share");
  if (listing === undefined) throw new Error(`listing ${listingId} does not exist`);
  const [last] = await tx
    .select({ url: termsAcceptances.url, version: termsAcceptances.version })
    .from(termsAcceptances)
    .where(eq(termsAcceptances.installationId, id))
    .orderBy(desc(termsAcceptances.id))
    .limit(1);
  return { ...listing, accepted: last ?? null };
}

export async function insertAcceptance(
  tx: Db,
  row: typeof termsAcceptances.$inferInsert,
): Promise<{ id: string }> {
  const [accepted] = await tx.insert(termsAcceptances).values(row).returning({ id: termsAcceptances.id });
  if (accepted === undefined) throw new Error("the acceptance was not stored");
  return accepted;
}

/** Newest first. */
export async function selectAcceptances(
  db: Db,
  organizationId: string,
  installationId: string,
  limit: number,
) {
  return db
    .select({
      id: termsAcceptances.id,
      url: termsAcceptances.url,
      version: termsAcceptances.version,
      acceptedAt: termsAcceptances.acceptedAt,
      acceptedBy: users.name,
      total: sql<number>`count(*) over ()`.mapWith(Number),
    })
    .from(termsAcceptances)
    .innerJoin(users, eq(users.id, termsAcceptances.acceptedBy))
    .where(
      and(
        eq(termsAcceptances.installationId, installationId),
        eq(termsAcceptances.organizationId, organizationId),
      ),
    )
    .orderBy(desc(termsAcceptances.id))
    .limit(limit);
}
