import { and, desc, eq, exists, gt, inArray, isNotNull, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import { attempts, breakers, typeBreakers } from "@/drizzle/schema/calls";
import { versions } from "@/drizzle/schema/catalog";
import { installations } from "@/drizzle/schema/installations";
import { instances, parkings } from "@/drizzle/schema/runtime";
import { firstIdWithin } from "@/lib/contract/platform/text";
import { TROUBLE_MINUTES } from "@/lib/domain/insight/health";
import { BACKOFF_MINUTES } from "@/lib/domain/runtime/instance";
import type { Db } from "../../platform/database/connect";
import { failedWithin, isSinceUnparked } from "../../runtime/scale-queries";

/** Which calls count: how recent, and how many. */
const CALLS_SINCE = sql`now() - interval '1 hour'`;
const CALLS_WITHIN_MS = 3_600_000;
const CALLS_READ = 100;

/** An instance of each version: one that runs, unhealthy ones first; or the one that ran last. */
export async function selectNewestInstances(db: Db, versionIds: readonly string[]) {
  return db
    .selectDistinctOn([instances.versionId], {
      versionId: instances.versionId,
      runtime: instances.runtime,
      state: instances.state,
      code: instances.reasonCode,
      reason: instances.reason,
      createdAt: instances.createdAt,
      readyAt: instances.readyAt,
      failingSince: instances.failingSince,
      failedChecks: instances.failedChecks,
    })
    .from(instances)
    .where(inArray(instances.versionId, [...versionIds]))
    .orderBy(
      instances.versionId,
      sql`${instances.state} = 'READY' desc`,
      sql`${instances.failingSince} nulls last`,
      desc(instances.id),
    );
}

/** The last failure of each version. */
export async function selectLastFailures(db: Db, versionIds: readonly string[]) {
  return db
    .selectDistinctOn([instances.versionId], {
      versionId: instances.versionId,
      at: sql<Date>`coalesce(${instances.endedAt}, ${instances.createdAt})`.mapWith(instances.createdAt),
      code: instances.reasonCode,
      exitCode: instances.exitCode,
      reason: instances.reason,
    })
    .from(instances)
    .where(and(inArray(instances.versionId, [...versionIds]), eq(instances.state, "FAILED")))
    .orderBy(instances.versionId, desc(instances.endedAt), desc(instances.id));
}

/** The newest versions of a listing of which an instance failed that is still kept. */
export async function selectFailedVersions(db: Db, listingId: string, limit: number) {
  const failed = db
    .select({ id: instances.id })
    .from(instances)
    .where(and(eq(instances.versionId, versions.id), eq(instances.state, "FAILED")));
  return db
    .select({ id: versions.id, number: versions.number })
    .from(versions)
    .where(and(eq(versions.listingId, listingId), exists(failed)))
    .orderBy(desc(versions.id))
    .limit(limit);
}

/** The end of the log of each version's last instance that failed, or that ended for any reason. */
export async function selectLastLogs(db: Db, versionIds: readonly string[], ended: "failed" | "any") {
  return db
    .selectDistinctOn([instances.versionId], {
      versionId: instances.versionId,
      at: sql<Date>`${instances.endedAt}`.mapWith(instances.endedAt),
      text: sql<string>`${instances.logTail}`,
    })
    .from(instances)
    .where(
      and(
        inArray(instances.versionId, [...versionIds]),
        isNotNull(instances.endedAt),
        ended === "failed" ? eq(instances.state, "FAILED") : undefined,
        ne(instances.logTail, ""),
      ),
    )
    .orderBy(instances.versionId, desc(instances.endedAt), desc(instances.id));
}

/** The versions that are parked, since when and after how many crashes, or that sleep. */
export async function selectHalted(db: Db, versionIds: readonly string[]) {
  const isOpen = and(eq(parkings.versionId, versions.id), isNull(parkings.endedAt));
  const rows = await db
    .select({
      versionId: versions.id,
      asleepSince: versions.asleepSince,
      parkedAt: parkings.parkedAt,
      crashes: parkings.crashes,
    })
    .from(versions)
    .leftJoin(parkings, isOpen)
    .where(
      and(
        inArray(versions.id, [...versionIds]),
        or(isNotNull(versions.asleepSince), isNotNull(parkings.parkedAt)),
      ),
    );
  return rows.map(({ parkedAt, crashes, ...row }) => ({
    ...row,
    parked: parkedAt === null || crashes === null ? undefined : { at: parkedAt, crashes },
  }));
}

/** How often the instances of each version failed lately, and when one that was ready last ended. */
export async function countFailures(db: Db, versionIds: readonly string[]) {
  const recent = failedWithin(TROUBLE_MINUTES);
  return db
    .select({
      versionId: instances.versionId,
      recentFailures: sql<number>`(count(*) filter (where ${recent}))::int`,
      firstRecentFailureAt: sql<Date | null>`min(${instances.endedAt}) filter (where ${recent})`.mapWith(
        instances.endedAt,
      ),
      failures: sql<number>`(count(*) filter (where ${failedWithin(BACKOFF_MINUTES)}))::int`,
      countedFailures: sql<number>`(count(*) filter (where ${failedWithin(BACKOFF_MINUTES)}
        and ${isSinceUnparked}))::int`,
      lastUpAt:
        sql<Date | null>`max(${instances.endedAt}) filter (where ${instances.readyAt} is not null)`.mapWith(
          instances.endedAt,
        ),
    })
    .from(instances)
    .where(inArray(instances.versionId, [...versionIds]))
    .groupBy(instances.versionId);
}

/** The calls of each installation since the last one that succeeded, as far as an instance that runs now was ready then. */
export function selectFailedCalls(db: Db, installationIds: readonly string[]) {
  // 410 is an app's decision, not a failure.
  const succeeded = sql`(${attempts.failure} is null or ${attempts.status} is not distinct from 410)`;
  const readyAt = sql`(select min(${instances.readyAt}) from ${instances}
    where ${instances.versionId} = ${installations.versionId} and ${instances.state} = 'READY')`;
  const recent = db
    .select({
      startedAt: attempts.startedAt,
      failure: attempts.failure,
      // Whether a call succeeded since. PostgreSQL reads no further back than the limit.
      ended: sql<boolean>`bool_or(${succeeded}) over (order by ${attempts.id} desc)`.as("ended"),
    })
    .from(attempts)
    .where(
      and(
        eq(attempts.installationId, installations.id),
        // Anyone can make calls of public endpoints fail.
        inArray(attempts.kind, ["webhook", "autofill", "rater"]),
        // The platform's fault.
        sql`${attempts.fault} is distinct from 'state-api-away'`,
        isNotNull(attempts.durationMs),
        sql`${attempts.id} > ${firstIdWithin(CALLS_WITHIN_MS)}::uuid`,
        gt(attempts.startedAt, CALLS_SINCE),
        gt(attempts.startedAt, readyAt),
      ),
    )
    .orderBy(desc(attempts.id))
    .limit(CALLS_READ)
    .as("recent");
  return db
    .select({
      id: installations.id,
      count: sql<number>`count(*)::int`,
      since: sql<Date>`min(${recent.startedAt})`.mapWith(attempts.startedAt),
      reason: sql<string>`(array_agg(${recent.failure} order by ${recent.startedAt} desc))[1]`,
    })
    .from(installations)
    .innerJoinLateral(recent, sql`not ${recent.ended}`)
    .where(inArray(installations.id, [...installationIds]))
    .groupBy(installations.id);
}

/**
 * The installations with an open circuit breaker, since when, and after how many failures; of an event type, unless it is open for all of
 * them. The one that opened first comes first.
 */
export async function selectOpenBreakers(db: Db, installationIds: readonly string[]) {
  const select = (table: typeof breakers | typeof typeBreakers, eventType: SQL<string | null>) =>
    db
      .select({
        id: table.installationId,
        eventType: eventType.as("event_type"),
        count: table.failures,
        since: sql<Date>`${table.openedAt}`.mapWith(table.openedAt).as("since"),
        reason: table.reason,
      })
      .from(table)
      .where(and(inArray(table.installationId, [...installationIds]), ne(table.state, "CLOSED")));
  const open = await unionAll(
    select(breakers, sql`null::text`),
    select(typeBreakers, sql`${typeBreakers.eventType}`),
  ).orderBy(sql`since`);
  const wholes = open.filter(({ eventType }) => eventType === null);
  const paused = new Set(wholes.map(({ id }) => id));
  return [...wholes, ...open.filter(({ id, eventType }) => eventType !== null && !paused.has(id))];
}
