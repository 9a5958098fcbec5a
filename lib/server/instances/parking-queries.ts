/** SQL of crash loops: versions that are not started anymore until something unparks them. */
import { and, eq, isNull, sql } from "drizzle-orm";
import { attempts } from "@/drizzle/schema/deliveries";
import { installations } from "@/drizzle/schema/installations";
import { instances, parkings } from "@/drizzle/schema/instances";
import { listings, versions } from "@/drizzle/schema/listings";
import type { UnparkCause } from "@/lib/contract/instance-reasons";
import { firstIdAt } from "@/lib/domain/call-range";
import { BACKOFF_MINUTES } from "@/lib/domain/crash-loop";
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

/** The failures of a version that count toward a crash loop: no call was sent to the instance, so none can have crashed it. */
export async function countUncalledFailures(db: Db, versionId: string): Promise<number> {
  const wasCalled = sql`exists (
    select 1 from ${attempts} join ${installations} on ${installations.id} = ${attempts.installationId}
     where ${instances.versionId} in (${installations.versionId}, ${installations.otherVersionId})
       and ${attempts.id} > ${firstIdAt(new Date(Date.now() - 2 * BACKOFF_MINUTES * 60_000))}::uuid
       and ${attempts.startedAt} between ${instances.readyAt} and ${instances.endedAt})`;
  return db.$count(
    instances,
    sql`${instances.versionId} = ${versionId} and ${failedWithin(BACKOFF_MINUTES)} and ${isSinceUnparked} and not ${wasCalled}`,
  );
}

export const failedWithin = (minutes: number) =>
  sql`${instances.state} = 'FAILED' and ${instances.endedAt} > now() - make_interval(mins => ${minutes})`;

/** Crashes from before somebody unparked the version don't count anymore. */
export const isSinceUnparked = sql`not exists (
  select 1 from parkings p where p.version_id = instances.version_id and p.ended_at >= instances.ended_at)`;
