import { and, eq } from "drizzle-orm";
import { listings, versions } from "@/drizzle/schema/listings";
import type { Db } from "../database/connect";

/** The organization's own listing of this app. */
export async function selectPublishTarget(db: Db, organizationId: string, appName: string) {
  const [listing] = await db
    .select({ id: listings.id, state: listings.state })
    .from(listings)
    .where(and(eq(listings.organizationId, organizationId), eq(listings.appName, appName)));
  return listing;
}

/** Locks the listing until the transaction ends, so that two publishers can't pass the version check at once. */
export async function lockListing(tx: Db, listingId: string) {
  const [listing] = await tx
    .select({ state: listings.state })
    .from(listings)
    .where(eq(listings.id, listingId))
    .for("update");
  return listing;
}

export async function selectVersionNumbers(db: Db, listingId: string): Promise<string[]> {
  const rows = await db
    .select({ number: versions.number })
    .from(versions)
    .where(eq(versions.listingId, listingId));
  return rows.map((row) => row.number);
}

/** The caller has locked the listing and checked that the number is new. */
export async function insertVersion(tx: Db, values: typeof versions.$inferInsert): Promise<string> {
  const [row] = await tx.insert(versions).values(values).returning({ id: versions.id });
  if (row === undefined) throw new Error("the version was not stored");
  return row.id;
}
