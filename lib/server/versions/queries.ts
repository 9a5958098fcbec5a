import { and, eq } from "drizzle-orm";
import { listings, versions } from "@/drizzle/schema/listings";
import type { Db } from "../database/connect";

/** The organization's own listing of that app, if there is one. */
export async function selectPublishTarget(db: Db, organizationId: string, appName: string) {
  const [listing] = await db
    .select({ id: listings.id, state: listings.state })
    .from(listings)
    .where(and(eq(listings.organizationId, organizationId), eq(listings.appName, appName)));
  return listing;
}

/** Holds the listing until the transaction ends, so that two publishers cannot pass the check of numbers at once. */
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

/** Undefined when the listing has a version of that number. */
export async function insertVersion(
  tx: Db,
  values: typeof versions.$inferInsert,
): Promise<string | undefined> {
  const [row] = await tx.insert(versions).values(values).onConflictDoNothing().returning({ id: versions.id });
  return row?.id;
}
