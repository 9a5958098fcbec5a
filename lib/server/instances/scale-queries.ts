/** SQL of what publishers see and set of their app's instances. */
import { and, asc, desc, eq, inArray, sql } from "drizzle-orm";
import { instances } from "@/drizzle/schema/instances";
import { listings, versions } from "@/drizzle/schema/listings";
import type { Db } from "../database/connect";
import { LIVE } from "./queries";

/** Returns the number before; undefined if the organization has no such listing. */
export async function setReplicas(
  tx: Db,
  organizationId: string,
  listingId: string,
  replicas: number,
): Promise<number | undefined> {
  const own = and(eq(listings.id, listingId), eq(listings.organizationId, organizationId));
  const [before] = await tx.select({ replicas: listings.replicas }).from(listings).where(own).for("update");
  if (before !== undefined) await tx.update(listings).set({ replicas }).where(own);
  return before?.replicas;
}

/** False if the organization has no such listing. */
export async function setRestart(tx: Db, organizationId: string, listingId: string): Promise<boolean> {
  const set = await tx
    .update(listings)
    .set({ restartRequestedAt: sql`now()` })
    .where(and(eq(listings.id, listingId), eq(listings.organizationId, organizationId)))
    .returning({ id: listings.id });
  return set.length === 1;
}

export async function selectReplicas(db: Db, listingId: string): Promise<number> {
  const [found] = await db
    .select({ replicas: listings.replicas })
    .from(listings)
    .where(eq(listings.id, listingId));
  if (found === undefined) throw new Error(`listing ${listingId} does not exist`);
  return found.replicas;
}

/** The instances of a listing that have not ended, of its newest version first. */
export async function selectRunningInstances(db: Db, listingId: string) {
  return db
    .select({
      id: instances.id,
      versionId: instances.versionId,
      number: versions.number,
      replica: instances.replica,
      runtime: instances.runtime,
      state: instances.state,
      reason: instances.reason,
      code: instances.reasonCode,
      failingSince: instances.failingSince,
      createdAt: instances.createdAt,
      readyAt: instances.readyAt,
      /** A restart was requested after it was started. */
      outdated: sql<boolean>`coalesce(${instances.createdAt} < ${listings.restartRequestedAt}, false)`,
    })
    .from(instances)
    .innerJoin(versions, eq(versions.id, instances.versionId))
    .innerJoin(listings, eq(listings.id, versions.listingId))
    .where(and(eq(listings.id, listingId), inArray(instances.state, LIVE)))
    .orderBy(desc(versions.id), asc(instances.replica));
}
