/** Reads instances, and claims those that a worker looks at. What moves them is in `instance-state-queries.ts`. */
import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, ne, notInArray, or, sql } from "drizzle-orm";
import { listings, versions } from "@/drizzle/schema/catalog";
import { installations } from "@/drizzle/schema/installations";
import { instances } from "@/drizzle/schema/runtime";
import { firstIdWithin } from "@/lib/contract/platform/text";
import type { ReasonCode } from "@/lib/contract/runtime/instance-reasons";
import type { Db } from "../platform/database/connect";
import { wantedReplicas } from "./load-queries";

export type InstanceRow = typeof instances.$inferSelect;

/** States in which an installation needs its instance. */
export const NEEDING = ["LAUNCHING", "RUNNING", "STOPPING", "UNINSTALLING"] as const;

/** Of instances that have not ended. */
export const LIVE: InstanceRow["state"][] = ["STARTING", "READY", "DRAINING"];

export async function selectVersion(db: Db, versionId: string) {
  const [found] = await db
    .select({
      id: versions.id,
      organizationId: listings.organizationId,
      appName: listings.appName,
      bundleKind: versions.bundleKind,
      imageDigest: versions.imageDigest,
      archiveDigest: versions.archiveDigest,
    })
    .from(versions)
    .innerJoin(listings, eq(listings.id, versions.listingId))
    .where(eq(versions.id, versionId));
  return found;
}

/** A ready instance of the version, or one that is starting if none is ready. */
export async function selectLiveInstance(db: Db, versionId: string): Promise<InstanceRow | undefined> {
  const [found] = await db
    .select()
    .from(instances)
    .where(and(eq(instances.versionId, versionId), inArray(instances.state, ["STARTING", "READY"])))
    .orderBy(desc(instances.state), instances.id)
    .limit(1);
  return found;
}

export async function selectInstance(db: Db, id: string): Promise<InstanceRow | undefined> {
  const [found] = await db.select().from(instances).where(eq(instances.id, id));
  return found;
}

export async function selectReadyInstance(db: Db, handle: string): Promise<InstanceRow | undefined> {
  const [found] = await db
    .select()
    .from(instances)
    .where(and(eq(instances.handle, handle), eq(instances.state, "READY")));
  return found;
}

/** All that have not ended. */
export async function selectLiveInstances(db: Db): Promise<InstanceRow[]> {
  return db.select().from(instances).where(inArray(instances.state, LIVE));
}

/** How many instances of the organization's apps have a container: they are starting, running, or finishing their calls. */
export async function countLive(db: Db, organizationId: string): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(instances)
    .innerJoin(versions, eq(versions.id, instances.versionId))
    .innerJoin(listings, eq(listings.id, versions.listingId))
    .where(and(eq(listings.organizationId, organizationId), inArray(instances.state, LIVE)));
  return row?.count ?? 0;
}

/** A sign of life of the worker that starts an instance. False if the instance was ended meanwhile. */
export async function touchStart(
  db: Db,
  id: string,
  started?: { handle: string; origin: string; node?: string | undefined },
): Promise<boolean> {
  const touched = await db
    .update(instances)
    .set({ checkedAt: sql`now()`, ...started })
    .where(and(eq(instances.id, id), eq(instances.state, "STARTING")))
    .returning({ id: instances.id });
  return touched.length === 1;
}

/** Keeps the address of a ready instance that restarted elsewhere. */
export async function moveInstance(db: Db, id: string, origin: string): Promise<void> {
  await db
    .update(instances)
    .set({ origin })
    .where(and(eq(instances.id, id), eq(instances.state, "READY")));
}

/** Claims the instances whose check is due, so that one of several workers checks each. */
export async function claimChecks(db: Db, everySeconds: number): Promise<InstanceRow[]> {
  return db
    .update(instances)
    .set({ checkedAt: sql`now()` })
    .where(
      and(
        eq(instances.state, "READY"),
        or(
          isNull(instances.checkedAt),
          lt(instances.checkedAt, sql`now() - make_interval(secs => ${everySeconds})`),
        ),
      ),
    )
    .returning();
}

/** Notes that a health check failed, and why. */
export async function noteFailedCheck(
  db: Db,
  id: string,
  { code, reason }: { code: ReasonCode; reason: string },
): Promise<void> {
  await db
    .update(instances)
    .set({
      failedChecks: sql`${instances.failedChecks} + 1`,
      failingSince: sql`coalesce(${instances.failingSince}, now())`,
      reasonCode: code,
      reason,
    })
    .where(and(eq(instances.id, id), eq(instances.state, "READY")));
}

/** Notes that a health check succeeded again. */
export async function clearFailedChecks(db: Db, id: string): Promise<void> {
  await db
    .update(instances)
    .set({ failedChecks: 0, failingSince: null, reasonCode: null, reason: null })
    .where(and(eq(instances.id, id), eq(instances.state, "READY")));
}

/** How long its checks have been failing, by the database's clock. */
export async function readFailingMs(db: Db, id: string): Promise<number> {
  const [row] = await db
    .select({
      ms: sql<number>`coalesce(extract(epoch from now() - ${instances.failingSince}) * 1000, 0)::int`,
    })
    .from(instances)
    .where(eq(instances.id, id));
  return row?.ms ?? 0;
}

/** How many ended instances of a version are kept. */
const KEPT = 50;

/** Deletes old instances of a version, so that one that crashes for weeks does not fill the database. */
export async function pruneInstances(db: Db, versionId: string): Promise<void> {
  const kept = db
    .select({ id: instances.id })
    .from(instances)
    .where(eq(instances.versionId, versionId))
    .orderBy(desc(instances.id))
    .limit(KEPT);
  await db
    .delete(instances)
    .where(
      and(
        eq(instances.versionId, versionId),
        inArray(instances.state, ["FAILED", "STOPPED"]),
        notInArray(instances.id, kept),
      ),
    );
}

/** The end of the log of an instance that ended. */
export async function keepLog(db: Db, id: string, logTail: string): Promise<void> {
  await db.update(instances).set({ logTail }).where(eq(instances.id, id));
}

/** Whether the version has run in a container. */
export async function hasRunIsolated(db: Db, versionId: string): Promise<boolean> {
  const isolated = and(
    eq(instances.versionId, versionId),
    ne(instances.runtime, "process"),
    isNotNull(instances.readyAt),
  );
  return (await db.$count(instances, isolated)) > 0;
}

/** Ready instances of example apps that run as processes. */
export async function selectProcesses(db: Db): Promise<InstanceRow[]> {
  const found = await db
    .select({ instance: instances })
    .from(instances)
    .innerJoin(versions, eq(versions.id, instances.versionId))
    .where(
      and(
        eq(instances.state, "READY"),
        eq(instances.runtime, "process"),
        eq(versions.bundleKind, "example-folder"),
      ),
    )
    .orderBy(instances.id);
  return found.map(({ instance }) => instance);
}

/** The instances with these handles that are called. */
export async function selectReady(
  db: Db,
  runtime: string,
  handles: readonly string[],
): Promise<InstanceRow[]> {
  return db
    .select()
    .from(instances)
    .where(
      and(
        eq(instances.state, "READY"),
        eq(instances.runtime, runtime),
        inArray(instances.handle, [...handles]),
      ),
    )
    .orderBy(instances.id);
}

/** What won't be better at once: it is tried again with growing pauses. */
const SLOWED: ReasonCode[] = [
  "PLATFORM_FAILED",
  "ENGINE_FAILED",
  "CLUSTER_FAILED",
  "CLUSTER_QUOTA",
  "NO_ROOM",
  "PULL_REFUSED",
];

/** How often the platform itself, or its engine or cluster, failed to start each version lately, and when it last did. */
export async function countPlatformFailures(db: Db, versionIds: readonly string[], minutes: number) {
  return db
    .select({
      versionId: instances.versionId,
      countedFailures: sql<number>`count(*)::int`,
      at: sql<Date>`max(${instances.endedAt})`.mapWith(instances.endedAt),
    })
    .from(instances)
    .where(
      and(
        inArray(instances.versionId, [...versionIds]),
        inArray(instances.reasonCode, SLOWED),
        isNull(instances.readyAt),
        gt(instances.endedAt, sql`now() - make_interval(mins => ${minutes})`),
      ),
    )
    .groupBy(instances.versionId);
}

/** How many ready instances each runtime has. */
export async function countReady(db: Db): Promise<{ runtime: string; count: number }[]> {
  return db
    .select({ runtime: instances.runtime, count: sql<number>`count(*)::int` })
    .from(instances)
    .where(eq(instances.state, "READY"))
    .groupBy(instances.runtime);
}

export interface UnmetDemand {
  versionId: string;
  /** How many instances run or start. */
  live: number;
  /** How many should run. */
  wanted: number;
  /**
   * A ready instance that can't reach the state API anymore, or from before the last requested restart, if none of the version is
   * starting; otherwise null.
   */
  outdatedId: string | null;
  /** Of the outdated instance: it can't reach the state API. */
  lostStateApi: boolean | null;
}

/**
 * Versions of running installations that have fewer instances than they should, or outdated ones: a state API that no running worker
 * gives to apps is gone. Leaves out the other version of an
 * upgrade, and versions that sleep: a new version that fails to start is not started again and again, and an old one has no more calls. Leaves out made-up
 * customers of automatic checks, which run an instance of their own.
 */
export async function selectUnmetDemands(
  db: Db,
  mostReplicas: number,
  stateApis: readonly string[],
): Promise<UnmetDemand[]> {
  const { rows } = await db.execute<UnmetDemand & Record<string, unknown>>(sql`
    with demanded as (
      select distinct i.version_id, i.listing_id from installations i
         join versions v on v.id = i.version_id
       where i.state = 'RUNNING' and i.evidence_id is null and (v.asleep_since is null or v.woken_at is not null))
    select * from (
      select d.version_id as "versionId", ${wantedReplicas(mostReplicas)} as wanted,
             (select count(*)::int from instances n
               where n.version_id = d.version_id and n.state in ('STARTING', 'READY')) as live,
             outdated.id as "outdatedId", outdated."lostStateApi"
        from demanded d join listings l on l.id = d.listing_id
        left join scalings s on s.version_id = d.version_id
        left join lateral (
             select n.id, coalesce(${hasLostStateApi(stateApis)}, false) as "lostStateApi" from instances n
              where n.version_id = d.version_id and n.state = 'READY'
                and (n.created_at < l.restart_requested_at or ${hasLostStateApi(stateApis)})
                and not exists (select from instances s where s.version_id = d.version_id and s.state = 'STARTING')
              order by 2 desc, n.id limit 1) outdated on true) each
     where live < wanted or "outdatedId" is not null`);
  return rows;
}

const hasLostStateApi = (stateApis: readonly string[]) => sql`(
  n.state_api <> all (${sql.param(stateApis)}::text[])
  and not exists (select from workers w where n.state_api = any (w.state_apis)))`;

/** Claims draining instances to look at, so that one of several workers does. */
export async function claimDraining(db: Db, everySeconds: number): Promise<InstanceRow[]> {
  return db
    .update(instances)
    .set({ checkedAt: sql`now()` })
    .where(
      and(
        eq(instances.state, "DRAINING"),
        lt(instances.checkedAt, sql`now() - make_interval(secs => ${everySeconds})`),
      ),
    )
    .returning();
}

/**
 * Of these draining instances, those whose calls have all finished. A call picks its instance up to `slackSeconds` before its attempt
 * is recorded. An attempt that started longer ago than any call can take belongs to a dead process.
 */
export async function selectDrained(
  db: Db,
  ids: readonly string[],
  slackSeconds: number,
): Promise<Set<string>> {
  const slack = sql`make_interval(secs => ${slackSeconds})`;
  const found = await db
    .select({ id: instances.id })
    .from(instances)
    .where(
      and(
        inArray(instances.id, [...ids]),
        sql`${instances.drainingSince} + ${slack} < now()`,
        sql`not exists (
          select 1 from attempts a join ${installations} on ${installations.id} = a.installation_id
           where ${instances.versionId} in (${installations.versionId}, ${installations.otherVersionId})
             and a.duration_ms is null and a.started_at < ${instances.drainingSince} + ${slack}
             and a.id > ${firstIdWithin(2 * 60_000)}::uuid
             and a.started_at > now() - interval '2 minutes')`,
      ),
    );
  return new Set(found.map(({ id }) => id));
}
