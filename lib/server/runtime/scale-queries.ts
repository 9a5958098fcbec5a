/** SQL of what publishers see and set of their app's instances. */
import { and, asc, desc, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { attempts } from "@/drizzle/schema/calls";
import { listings, versions } from "@/drizzle/schema/catalog";
import { installations } from "@/drizzle/schema/installations";
import { instances, parkings } from "@/drizzle/schema/runtime";
import type { UnparkCause } from "@/lib/contract/runtime/instance-reasons";
import { firstIdAt } from "@/lib/contract/platform/text";
import { BACKOFF_MINUTES } from "@/lib/domain/runtime/instance";
import type { Db } from "../platform/database/connect";
import { LIVE } from "./instance-queries";

type Replicas = Pick<typeof listings.$inferSelect, "replicas" | "mostReplicas">;
const REPLICAS = { replicas: listings.replicas, mostReplicas: listings.mostReplicas };

/** Returns the numbers before; undefined if the organization has no such listing. */
export async function setReplicas(
  tx: Db,
  organizationId: string,
  listingId: string,
  replicas: Replicas,
): Promise<Replicas | undefined> {
  const own = and(eq(listings.id, listingId), eq(listings.organizationId, organizationId));
  const [before] = await tx.select(REPLICAS).from(listings).where(own).for("update");
  if (before !== undefined) await tx.update(listings).set(replicas).where(own);
  return before;
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

export async function selectReplicas(db: Db, listingId: string): Promise<Replicas> {
  const [found] = await db.select(REPLICAS).from(listings).where(eq(listings.id, listingId));
  if (found === undefined) throw new Error(`listing ${listingId} does not exist`);
  return found;
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

// SQL of versions that sleep: stopped because nothing called them, and started by the next call.

interface Idle {
  minutes: number;
  /** Whether versions sleep that installations of production tenants use. */
  production: boolean;
}

/**
 * Puts versions to sleep that nothing called, started, configured or checked for so long, and for which no event waits. Returns
 * them. The condition is in the UPDATE; a call that came meanwhile finishes, and the next one wakes the version.
 */
export async function putToSleep(db: Db, { minutes, production }: Idle): Promise<string[]> {
  const since = sql`now() - make_interval(mins => ${minutes}::int)`;
  const firstId = firstIdAt(new Date(Date.now() - minutes * 60_000));
  const { rows } = await db.execute<{ id: string }>(sql`
    update versions v set asleep_since = now(), woken_at = null
     where v.asleep_since is null
       and exists (select from instances n where n.version_id = v.id and n.state = 'READY')
       and not exists (
             select from instances n where n.version_id = v.id
                and (n.state = 'STARTING' or n.state = 'READY' and n.ready_at > ${since}))
       and not exists (select from installations i where i.other_version_id = v.id)
       and not exists (
             select from installations i join tenants t on t.id = i.tenant_id
              where i.version_id = v.id and i.state not in ('STOPPED', 'ERROR', 'UNINSTALLED')
                and (i.state <> 'RUNNING' or i.updated_at > ${since}
                     or not (${production} or i.test or t.sandbox)
                     or exists (select from attempts a where a.installation_id = i.id and a.id > ${firstId}::uuid)
                     or exists (select from deliveries d
                                 where d.installation_id = i.id and d.state = 'PENDING'
                                   and d.next_attempt_at < now() + interval '1 minute')))
       and not exists (
             select from configuration_checks c
              where c.version_id = v.id and coalesce(c.ended_at, c.created_at) > ${since})
    returning v.id`);
  return rows.map(({ id }) => id);
}

/** Wakes versions for which an event is due. */
export async function wakeForEvents(db: Db): Promise<void> {
  await db.execute(sql`
    update versions v set woken_at = now()
     where v.asleep_since is not null and v.woken_at is null
       and exists (select from installations i join deliveries d on d.installation_id = i.id
                    where i.version_id = v.id and i.state = 'RUNNING'
                      and d.state = 'PENDING' and d.next_attempt_at <= now())`);
}

/** One of its instances is ready. */
export async function endSleep(tx: Db, versionId: string): Promise<void> {
  await tx
    .update(versions)
    .set({ asleepSince: null, wokenAt: null })
    .where(and(eq(versions.id, versionId), isNotNull(versions.asleepSince)));
}

/** Sleeps, and nothing has woken it. */
export async function isAsleep(db: Db, versionId: string): Promise<boolean> {
  const asleep = and(eq(versions.id, versionId), isNotNull(versions.asleepSince), isNull(versions.wokenAt));
  return (await db.$count(versions, asleep)) === 1;
}

// SQL of crash loops: versions that are not started anymore until something unparks them.

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
