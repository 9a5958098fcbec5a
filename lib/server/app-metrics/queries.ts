import { and, desc, eq, gte, inArray, isNotNull, lt, notInArray, or, sql, type SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { instanceEvents } from "@/drizzle/schema/app-logs";
import { instances } from "@/drizzle/schema/instances";
import { listings, versions } from "@/drizzle/schema/listings";
import { usageHours, usageSamples } from "@/drizzle/schema/usage";
import { EXPECTED_ENDS } from "@/lib/contract/instance-reasons";
import { HOUR_MS } from "@/lib/domain/call-range";
import type { Db } from "../database/connect";
import { timeBucket } from "../database/time-bucket";

export interface MetricsRange {
  from: Date;
  to: Date;
  bucketMs: number;
}

/** The versions of the organization's listing that ran, or tried to, in the last month; newest first. Undefined: it has no such listing. */
export async function selectRunVersions(db: Db, organizationId: string, listingId: string) {
  const [listing] = await db
    .select({ id: listings.id })
    .from(listings)
    .where(and(eq(listings.id, listingId), eq(listings.organizationId, organizationId)));
  if (listing === undefined) return undefined;
  const isLive = and(eq(instances.versionId, versions.id), inArray(instances.state, ["STARTING", "READY"]));
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
    .orderBy(desc(versions.id));
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
