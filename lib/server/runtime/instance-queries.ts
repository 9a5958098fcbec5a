import { and, desc, eq, inArray, isNotNull, isNull, lt, ne, notInArray, or, sql } from "drizzle-orm";
import { listings, versions } from "@/drizzle/schema/catalog";
import { instances } from "@/drizzle/schema/runtime";
import { isAppFault, type ReasonCode } from "@/lib/contract/runtime/instance-reasons";
import type { Db } from "../platform/database/connect";

export type InstanceRow = typeof instances.$inferSelect;

/** States in which an installation needs its instance. */
export const NEEDING = ["LAUNCHING", "RUNNING", "STOPPING", "UNINSTALLING"] as const;

/** Of instances that have not ended. */
export const LIVE: InstanceRow["state"][] = ["STARTING", "READY", "DRAINING"];

/** A start without a sign of life for this long is abandoned. */
const ABANDONED = sql`interval '15 seconds'`;

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
  started?: { handle: string; origin: string },
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

/** Ends starts whose worker died, of one version or of all. Returns the ones that this call ended. */
export async function endAbandonedStarts(db: Db, versionId?: string): Promise<InstanceRow[]> {
  return db
    .update(instances)
    .set(
      ended({
        code: "WORKER_ENDED",
        reason: "The worker that was starting it ended before it was ready.",
      }),
    )
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
    .set({ state: "READY", readyAt: sql`now()`, checkedAt: sql`now()` })
    .where(and(eq(instances.id, id), eq(instances.state, "STARTING")))
    .returning();
  return ready;
}

export interface InstanceEnd {
  code: ReasonCode;
  reason: string;
  exitCode?: number | null;
  logTail?: string;
}

/** `FAILED` is the app's fault; `STOPPED` is not. */
export const ended = ({ code, ...rest }: InstanceEnd) => ({
  state: isAppFault(code) ? ("FAILED" as const) : ("STOPPED" as const),
  reasonCode: code,
  ...rest,
  endedAt: sql`now()`,
});

/** True when this call ended it. */
export async function endInstance(db: Db, id: string, end: InstanceEnd): Promise<boolean> {
  const rows = await db
    .update(instances)
    .set(ended(end))
    .where(and(eq(instances.id, id), inArray(instances.state, LIVE)))
    .returning({ id: instances.id });
  return rows.length === 1;
}

/** Records why no instance could be started, unless the newest one says so already. */
export async function noteNotStarted(
  db: Db,
  versionId: string,
  code: ReasonCode,
  reason: string,
): Promise<void> {
  const [newest] = await db
    .select()
    .from(instances)
    .where(eq(instances.versionId, versionId))
    .orderBy(desc(instances.id))
    .limit(1);
  if (newest === undefined || newest.endedAt === null || newest.reasonCode === code) return;
  await db.insert(instances).values({ versionId, runtime: newest.runtime, ...ended({ code, reason }) });
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
  { code, reason }: Pick<InstanceEnd, "code" | "reason">,
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

/** Ends the instances behind these handles, which ended with their worker. */
export async function endInstancesByHandles(db: Db, handles: string[]): Promise<void> {
  if (handles.length === 0) return;
  await db
    .update(instances)
    .set(ended({ code: "WORKER_ENDED", reason: "Its worker ended." }))
    .where(and(inArray(instances.handle, handles), inArray(instances.state, ["STARTING", "READY"])));
  // What was draining ended for the reason that it has.
  await db
    .update(instances)
    .set({ state: "STOPPED", endedAt: sql`now()` })
    .where(and(inArray(instances.handle, handles), eq(instances.state, "DRAINING")));
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

/** How many ready instances each runtime has. */
export async function countReady(db: Db): Promise<{ runtime: string; count: number }[]> {
  return db
    .select({ runtime: instances.runtime, count: sql<number>`count(*)::int` })
    .from(instances)
    .where(eq(instances.state, "READY"))
    .groupBy(instances.runtime);
}
