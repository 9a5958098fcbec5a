import { and, eq, gte, lt, max, sql, type SQL } from "drizzle-orm";
import { attempts, routes } from "@/drizzle/schema/calls";
import { callHours } from "@/drizzle/schema/insight";
import type { CallFilter } from "@/lib/contract/calls/call-filter";
import { type CallRange, HOUR_MS, LATENCY_GROWTH, NOT_ENDED } from "@/lib/domain/calls/call-range";
import { type Db, tryLock } from "../../platform/database/connect";
import { timeBucket } from "../../platform/database/expressions";
import { type CallScope, charted, chartedRow } from "./list-queries";

/** The newest calls of a range that a chart counts one by one, so that its time is bounded. */
export const CHARTED_CALLS = 1_000_000;

/** Of `lib/domain/calls/call-range.ts`. */
const latencyBucket = sql.raw(
  `case when duration_ms is null then ${NOT_ENDED} else floor(ln(greatest(duration_ms, 1)::float8) / ln(${LATENCY_GROWTH}::float8))::int end`,
);

/** Until when calls are counted by the hour; undefined if none are. */
export async function selectCountedUntil(db: Db): Promise<Date | undefined> {
  const [found] = await db.select({ hour: max(callHours.hour) }).from(callHours);
  const hour = found?.hour ?? undefined;
  return hour && new Date(hour.getTime() + HOUR_MS);
}

/** @param counts rows of `at`, `route_id`, `bucket` (of latency), `calls` and `failed` */
async function selectTallies(db: Db, counts: SQL) {
  return db
    .select({
      at: sql<Date>`counts.at`.mapWith(attempts.startedAt),
      kind: routes.kind,
      path: routes.path,
      latencies: sql<number[]>`array_agg(counts.bucket)`,
      calls: sql<number[]>`array_agg(counts.calls)`,
      failed: sql<number>`sum(counts.failed)::int`,
    })
    .from(sql`(${counts}) counts`)
    .innerJoin(routes, eq(routes.id, sql`counts.route_id`))
    .groupBy(sql`1, 2, 3`);
}

/** Which calls a chart shows, in the tables of calls and of counted hours, the second joined with the routes. */
export interface ChartedCalls {
  attempts: (range: CallRange) => SQL | undefined;
  hours: (range: Required<CallRange>) => SQL | undefined;
}

/** The calls that a member's filter shows. */
export function filterCharted(scope: CallScope, filter: CallFilter): ChartedCalls {
  return {
    attempts: (range) => charted({ ...scope, range }, filter),
    hours: ({ from, to }) =>
      and(
        eq(callHours.organizationId, scope.organizationId),
        scope.installationId === undefined ? undefined : eq(callHours.installationId, scope.installationId),
        gte(callHours.hour, from),
        lt(callHours.hour, to),
        chartedRow(scope, filter, { ...callHours, kind: routes.kind }),
      ),
  };
}

/** What calls did, one by one: for each bucket of time and each route. */
export async function countCalls(db: Db, isCharted: SQL | undefined, bucketMs: number) {
  return selectTallies(
    db,
    sql`
      select at, route_id, bucket, count(*)::int as calls, count(failure)::int as failed
        from (select ${timeBucket(bucketMs, attempts.startedAt)} as at, route_id, ${latencyBucket} as bucket, failure
                from ${attempts} where ${isCharted}
               order by ${attempts.id} desc limit ${CHARTED_CALLS}) calls
       group by 1, 2, 3`,
  );
}

/** The same of whole hours that are counted already. */
export async function sumHours(db: Db, isCharted: SQL | undefined, bucketMs: number) {
  return selectTallies(
    db,
    sql`
      select ${timeBucket(bucketMs, callHours.hour)} as at, ${callHours.routeId} as route_id, entry.bucket,
             sum(entry.calls)::int as calls, sum(entry.failed)::int as failed
        from ${callHours} join ${routes} on ${routes.id} = ${callHours.routeId},
             unnest(${callHours.latencies}, ${callHours.calls}, ${callHours.failed}) entry(bucket, calls, failed)
       where ${isCharted}
       group by 1, 2, 3`,
  );
}

/** False if another worker is counting. Held until the end of the transaction. */
export function lockCounting(tx: Db): Promise<boolean> {
  return tryLock(tx, "call-hours");
}

export async function selectFirstAttempt(tx: Db, from: string): Promise<string | undefined> {
  const { rows } = await tx.execute<{ id: string }>(
    sql`select id from attempts where id >= ${from} order by id limit 1`,
  );
  return rows[0]?.id;
}

/** Counts the attempts of an hour, whose ids are a range of the primary key. */
export async function insertHour(tx: Db, hour: Date, ids: { from: string; to: string }): Promise<void> {
  await tx.execute(sql`
    insert into call_hours
           (hour, organization_id, installation_id, route_id, test, event_type, latencies, calls, failed)
    select ${hour.toISOString()}, organization_id, installation_id, route_id, test, event_type,
           array_agg(bucket), array_agg(calls), array_agg(failed)
      from (select organization_id, installation_id, route_id, test, coalesce(event_type, '') as event_type,
                   ${latencyBucket} as bucket, count(*) as calls, count(failure) as failed
              from attempts
             where id >= ${ids.from} and id < ${ids.to}
             group by 1, 2, 3, 4, 5, 6) counted
     group by 2, 3, 4, 5, 6`);
}

export async function deleteHours(tx: Db, before: Date): Promise<void> {
  await tx.delete(callHours).where(lt(callHours.hour, before));
}
