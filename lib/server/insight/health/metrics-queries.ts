import { and, desc, eq, gte, inArray, isNotNull, lt, notInArray, or, sql, type SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { attempts } from "@/drizzle/schema/calls";
import { listings, versions } from "@/drizzle/schema/catalog";
import { callHours, usageHours, usageSamples } from "@/drizzle/schema/insight";
import { instanceEvents, instances } from "@/drizzle/schema/runtime";
import { EXPECTED_ENDS } from "@/lib/contract/runtime/instance-reasons";
import { HOUR_MS } from "@/lib/domain/calls/call-range";
import type { Db } from "../../platform/database/connect";
import { timeBucket } from "../../platform/database/expressions";
import type { ChartedCalls } from "../call-log/chart-queries";
import { withinRange } from "../call-log/list-queries";
import type { VersionPeriod } from "./history-queries";

interface MetricsRange {
  from: Date;
  to: Date;
  bucketMs: number;
}

/** The versions of the organization's listing that ran, or tried to, in the last month; most used first, then newest. Undefined: it has no such listing. */
export async function selectRunVersions(db: Db, organizationId: string, listingId: string) {
  const [listing] = await db
    .select({ id: listings.id })
    .from(listings)
    .where(and(eq(listings.id, listingId), eq(listings.organizationId, organizationId)));
  if (listing === undefined) return undefined;
  const isLive = and(eq(instances.versionId, versions.id), inArray(instances.state, ["STARTING", "READY"]));
  const used = sql`(
    select count(*) from installations i
     where i.version_id = ${versions.id} and i.evidence_id is null and i.state not in ('UNINSTALLING', 'UNINSTALLED'))`;
  return db
    .select({
      id: versions.id,
      number: versions.number,
      isRunning: sql<boolean>`exists (select 1 from ${instances} where ${isLive})`,
    })
    .from(versions)
    .where(
      and(
        eq(versions.listingId, listingId),
        sql`exists (select 1 from ${instanceEvents} where ${instanceEvents.versionId} = ${versions.id})`,
      ),
    )
    .orderBy(desc(used), desc(versions.id));
}

const within = (column: AnyPgColumn, { from, to }: MetricsRange) => and(gte(column, from), lt(column, to));
const max = (column: AnyPgColumn) => sql<number | null>`max(${column})`.mapWith(Number);

/** What each instance of a version used, in each bucket, and in all of them where `at` is null. From its samples. */
export async function measureSamples(db: Db, versionId: string, range: MetricsRange) {
  const { usedNs, elapsedMs, memoryBytes, cpuLimitMillis, memoryLimitBytes } = usageSamples;
  return db
    .select({
      at: sql<Date | null>`${timeBucket(range.bucketMs, usageSamples.at)}`.mapWith(usageSamples.at),
      cpu: percent(sql`sum(${usedNs}) / (sum(${elapsedMs}) * 1e6)`),
      peakCpu: percent(sql`max(${usedNs} / (${elapsedMs} * 1e6))`),
      memoryBytes: sql<number>`avg(${memoryBytes})`.mapWith(Number),
      peakMemoryBytes: max(memoryBytes),
      cpuLimitMillis: max(cpuLimitMillis),
      memoryLimitBytes: max(memoryLimitBytes),
    })
    .from(usageSamples)
    .where(and(eq(usageSamples.versionId, versionId), within(usageSamples.at, range)))
    .groupBy(sql`grouping sets ((1), ())`);
}

/** The same from the hours of its samples. */
export async function measureHours(db: Db, versionId: string, range: MetricsRange) {
  const { hour, usedNs, elapsedMs, samples, memoryBytes } = usageHours;
  const from = new Date(Math.floor(range.from.getTime() / HOUR_MS) * HOUR_MS);
  return db
    .select({
      at: sql<Date | null>`${timeBucket(range.bucketMs, hour)}`.mapWith(hour),
      cpu: percent(sql`sum(${usedNs}) / (nullif(sum(${elapsedMs}), 0) * 1e6)`),
      peakCpu: percent(sql`max(${usageHours.peakCores})`),
      memoryBytes: sql<number>`sum(${memoryBytes}) / sum(${samples})`.mapWith(Number),
      peakMemoryBytes: max(usageHours.peakMemoryBytes),
      cpuLimitMillis: max(usageHours.cpuLimitMillis),
      memoryLimitBytes: max(usageHours.memoryLimitBytes),
    })
    .from(usageHours)
    .where(and(eq(usageHours.versionId, versionId), within(hour, { ...range, from })))
    .groupBy(sql`grouping sets ((1), ())`);
}

/** Of one core. */
const percent = (cores: SQL) => sql<number | null>`(${cores} * 100)::float8`;

/** How often instances of a version failed or ended unexpectedly, in each bucket. */
export async function countRestarts(db: Db, versionId: string, range: MetricsRange) {
  const { kind, reasonCode } = instanceEvents;
  return db
    .select({
      at: sql<Date>`${timeBucket(range.bucketMs, instanceEvents.at)}`.mapWith(instanceEvents.at),
      restarts: sql<number>`count(*)::int`,
    })
    .from(instanceEvents)
    .where(
      and(
        eq(instanceEvents.versionId, versionId),
        within(instanceEvents.at, range),
        or(
          eq(kind, "failed"),
          and(eq(kind, "stopped"), isNotNull(reasonCode), notInArray(reasonCode, [...EXPECTED_ENDS])),
        ),
      ),
    )
    .groupBy(sql`1`);
}

/**
 * The calls that were sent to a version, of all organizations. A counted hour belongs to the version that the installation used at
 * its end.
 */
export function callsOfPeriods(periods: readonly VersionPeriod[]): ChartedCalls {
  const column = (read: (period: VersionPeriod) => string | null) => sql.param(periods.map(read));
  const ids = column(({ installationId }) => installationId);
  const isWithin = (installationId: AnyPgColumn, moment: SQL) => sql`exists (
    select 1 from unnest(${ids}::uuid[], ${column(({ from }) => from?.toISOString() ?? null)}::timestamptz[],
                         ${column(({ to }) => to?.toISOString() ?? null)}::timestamptz[]) p(id, "from", "to")
     where p.id = ${installationId} and (p."from" is null or ${moment} >= p."from")
       and (p."to" is null or ${moment} < p."to"))`;
  const organizationIds = [...new Set(periods.map(({ organizationId }) => organizationId))];
  return {
    attempts: (range) =>
      and(
        sql`${attempts.installationId} = any(${ids}::uuid[])`,
        withinRange(attempts.id, range),
        isWithin(attempts.installationId, sql`${attempts.startedAt}`),
      ),
    hours: ({ from, to }) =>
      and(
        sql`${callHours.organizationId} = any(${sql.param(organizationIds)}::uuid[])`,
        gte(callHours.hour, from),
        lt(callHours.hour, to),
        isWithin(
          callHours.installationId,
          sql`(${callHours.hour} + ${sql.raw(`interval '${HOUR_MS} milliseconds'`)})`,
        ),
      ),
  };
}
