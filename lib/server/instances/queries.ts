import { and, desc, eq, inArray, isNull, lt, or, sql } from "drizzle-orm";
import { installations, instances } from "@/drizzle/schema/installations";
import { listings, versions } from "@/drizzle/schema/listings";
import type { SealedSetting } from "../calls/secret-queries";
import type { Db } from "../database/connect";

export type InstanceRow = typeof instances.$inferSelect;

/** States in which an installation needs its app to run. */
const NEEDING = ["LAUNCHING", "RUNNING", "STOPPING", "UNINSTALLING"] as const;

/** A start whose worker has not been heard of for so long is abandoned. */
const ABANDONED = sql`interval '15 seconds'`;

export async function selectVersion(db: Db, versionId: string) {
  const [found] = await db
    .select({
      id: versions.id,
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

export async function selectLiveInstance(db: Db, versionId: string): Promise<InstanceRow | undefined> {
  const [found] = await db
    .select()
    .from(instances)
    .where(and(eq(instances.versionId, versionId), inArray(instances.state, ["STARTING", "READY"])));
  return found;
}

export async function selectInstance(db: Db, id: string): Promise<InstanceRow | undefined> {
  const [found] = await db.select().from(instances).where(eq(instances.id, id));
  return found;
}

export async function selectLiveInstances(db: Db): Promise<InstanceRow[]> {
  return db
    .select()
    .from(instances)
    .where(inArray(instances.state, ["STARTING", "READY"]));
}

/** Undefined when the version has a live instance: the partial unique index lets only one start at a time. */
export async function insertInstance(
  db: Db,
  versionId: string,
  runtime: string,
): Promise<InstanceRow | undefined> {
  const [row] = await db
    .insert(instances)
    .values({ versionId, runtime, checkedAt: new Date() })
    .onConflictDoNothing()
    .returning();
  return row;
}

/** While an instance starts, its worker says again and again that it is at it; false when it was ended meanwhile. */
export async function touchStart(
  db: Db,
  id: string,
  started?: { handle: string; origin: string },
): Promise<boolean> {
  const touched = await db
    .update(instances)
    .set({ checkedAt: sql`now()`, ...started })
    .where(and(eq(instances.id, id), eq(instances.state, "STARTING")))
    .returning({ id: instances.id });
  return touched.length === 1;
}

/** Ends the starts whose worker died: of one version, or of all. Returns those that this call ended. */
export async function endAbandonedStarts(db: Db, versionId?: string): Promise<InstanceRow[]> {
  return db
    .update(instances)
    .set({
      state: "STOPPED",
      reason: "The worker that started it ended before it was ready.",
      endedAt: sql`now()`,
    })
    .where(
      and(
        eq(instances.state, "STARTING"),
        lt(instances.checkedAt, sql`now() - ${ABANDONED}`),
        versionId === undefined ? undefined : eq(instances.versionId, versionId),
      ),
    )
    .returning();
}

export async function markReady(db: Db, id: string): Promise<InstanceRow | undefined> {
  const [ready] = await db
    .update(instances)
    .set({ state: "READY", readyAt: sql`now()`, checkedAt: sql`now()`, failedChecks: 0 })
    .where(and(eq(instances.id, id), eq(instances.state, "STARTING")))
    .returning();
  return ready;
}

export interface InstanceEnd {
  /** `FAILED` is the app's fault and counts towards a crash loop; `STOPPED` is nobody's. */
  state: "FAILED" | "STOPPED";
  reason: string;
  logTail?: string;
}

/** True when this call ended it. */
export async function endInstance(db: Db, id: string, end: InstanceEnd): Promise<boolean> {
  const ended = await db
    .update(instances)
    .set({ ...end, endedAt: sql`now()` })
    .where(and(eq(instances.id, id), inArray(instances.state, ["STARTING", "READY"])))
    .returning({ id: instances.id });
  return ended.length === 1;
}

/** Takes the instances whose check is due, so that of several workers one checks each. */
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

export async function noteCheck(db: Db, id: string, failedChecks: number): Promise<void> {
  await db
    .update(instances)
    .set({ failedChecks })
    .where(and(eq(instances.id, id), eq(instances.state, "READY")));
}

/** How often instances of the version failed in the last minutes. */
export async function countFailures(db: Db, versionId: string, minutes: number): Promise<number> {
  const [found] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(instances)
    .where(
      and(
        eq(instances.versionId, versionId),
        eq(instances.state, "FAILED"),
        sql`${instances.endedAt} > now() - make_interval(mins => ${minutes})`,
      ),
    );
  return found?.count ?? 0;
}

export async function noteRestarts(db: Db, id: string, restarts: number): Promise<void> {
  await db.update(instances).set({ restarts }).where(eq(instances.id, id));
}

/**
 * Versions that serve running installations and have no live instance. The other version of an upgrade is not among
 * them: what fails to start is not started over and over, and calls that ended with the old instance do not come back.
 */
export async function selectVersionsToRestore(db: Db): Promise<string[]> {
  const found = await db
    .selectDistinct({ versionId: installations.versionId })
    .from(installations)
    .where(
      and(
        eq(installations.state, "RUNNING"),
        sql`not exists (select 1 from ${instances} where ${instances.versionId} = ${installations.versionId}
                         and ${instances.state} in ('STARTING', 'READY'))`,
      ),
    );
  return found.map((row) => row.versionId);
}

/**
 * Ends the ready instances that serve nobody. The condition is in the UPDATE: an installation that is launched
 * meanwhile either keeps its instance or finds none and starts one.
 */
export async function endUnneeded(db: Db): Promise<InstanceRow[]> {
  return db
    .update(instances)
    .set({ state: "STOPPED", reason: "No installation needs it any more.", endedAt: sql`now()` })
    .where(
      and(
        eq(instances.state, "READY"),
        sql`not exists (select 1 from ${installations} where ${installations.versionId} = ${instances.versionId}
                         and ${inArray(installations.state, [...NEEDING])})`,
        // An upgrade starts its new version, or calls still end on its old one.
        sql`not exists (select 1 from ${installations} where ${installations.otherVersionId} = ${instances.versionId})`,
      ),
    )
    .returning();
}

/** Puts the running installations of a version into `ERROR`. */
export async function failInstallations(db: Db, versionId: string, reason: string) {
  return db
    .update(installations)
    .set({ state: "ERROR", reason, updatedAt: sql`now()` })
    .where(and(eq(installations.versionId, versionId), eq(installations.state, "RUNNING")))
    .returning({ id: installations.id, organizationId: installations.organizationId });
}

/** Why an instance of the version failed last. */
export async function selectLastFailure(db: Db, versionId: string): Promise<string | undefined> {
  const [found] = await db
    .select({ reason: instances.reason })
    .from(instances)
    .where(and(eq(instances.versionId, versionId), eq(instances.state, "FAILED")))
    .orderBy(desc(instances.id))
    .limit(1);
  return found?.reason ?? undefined;
}

/** The instances behind these handles ended with their worker. */
export async function endInstancesOf(db: Db, handles: string[]): Promise<void> {
  if (handles.length === 0) return;
  await db
    .update(instances)
    .set({ state: "STOPPED", reason: "Its worker ended.", endedAt: sql`now()` })
    .where(and(inArray(instances.handle, handles), inArray(instances.state, ["STARTING", "READY"])));
}

/**
 * What is sealed in any revision of those that a version serves or served, of the next `limit` installations after one:
 * who moved on may keep the same value in a later version, and the log is as old as the instance. The same value of
 * several revisions comes once.
 */
export async function selectSealedOfVersion(
  db: Db,
  versionId: string,
  after: string | undefined,
  limit: number,
): Promise<SealedSetting[]> {
  const { rows } = await db.execute<{ [Name in keyof SealedSetting]: string }>(sql`
    select distinct on (i.id, s.key, s.value ->> 'sealed') i.organization_id as "organizationId",
           i.id as "installationId", s.key as name, s.value ->> 'sealed' as sealed,
           k.wrapped, k.master_key_id as "masterKeyId"
      from (select i.id, i.organization_id from installations i
             where i.listing_id = (select listing_id from versions where id = ${versionId}) and i.state <> 'UNINSTALLED'
               and (${after ?? null}::uuid is null or i.id > ${after ?? null}::uuid)
               and exists (select 1 from configurations c where c.installation_id = i.id and c.version_id = ${versionId})
               and exists (select 1 from configurations c where c.installation_id = i.id and c.scrubbed_at is null
                            and jsonb_path_exists(c.settings, '$.* ? (@.kind == "sealed")'))
             order by i.id limit ${limit}) i
      join configurations c on c.installation_id = i.id and c.scrubbed_at is null
      join data_keys k on k.organization_id = i.organization_id
     cross join lateral jsonb_each(c.settings) s
     where s.value ->> 'kind' = 'sealed'
     order by i.id, s.key, s.value ->> 'sealed'`);
  return rows;
}
