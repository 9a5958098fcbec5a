/** SQL of crash loops: versions that are not started anymore until something unparks them. */
import { and, eq, isNull, sql } from "drizzle-orm";
import { parkings } from "@/drizzle/schema/installations";
import { listings, versions } from "@/drizzle/schema/listings";
import type { UnparkCause } from "@/lib/contract/instance-reasons";
import type { Db } from "../database/connect";

/** False if it is parked already. */
export async function insertParking(tx: Db, versionId: string, crashes: number): Promise<boolean> {
  const inserted = await tx
    .insert(parkings)
    .values({ versionId, crashes })
    .onConflictDoNothing()
    .returning({ id: parkings.id });
  return inserted.length === 1;
}

/** False if it was not parked. @param by the user who unparked it */
export async function endParking(
  tx: Db,
  versionId: string,
  cause: UnparkCause,
  by: string | null = null,
): Promise<boolean> {
  const ended = await tx
    .update(parkings)
    .set({ endedAt: sql`now()`, endedCause: cause, endedBy: by })
    .where(and(eq(parkings.versionId, versionId), isNull(parkings.endedAt)))
    .returning({ id: parkings.id });
  return ended.length === 1;
}

/** The organization that published the version. */
export async function selectPublisherId(db: Db, versionId: string): Promise<string | undefined> {
  const [found] = await db
    .select({ organizationId: listings.organizationId })
    .from(versions)
    .innerJoin(listings, eq(listings.id, versions.listingId))
    .where(eq(versions.id, versionId));
  return found?.organizationId;
}
