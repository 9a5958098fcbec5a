import { and, eq, gte, lt, max, sql, type SQL } from "drizzle-orm";
import { callHours } from "@/drizzle/schema/call-hours";
import { attempts } from "@/drizzle/schema/deliveries";
import { routes } from "@/drizzle/schema/routes";
import type { CallFilter } from "@/lib/contract/call-filter";
import { type CallRange, HOUR_MS } from "@/lib/domain/call-range";
import { LATENCY_GROWTH, NOT_ENDED } from "@/lib/domain/latency";
import type { Db } from "../database/connect";
import { timeBucket } from "../database/time-bucket";
import { type CallScope, charted, chartedRow } from "./queries";

/** The newest calls of a range that a chart counts one by one, so that its time is bounded. */
export const CHARTED_CALLS = 1_000_000;

/** Of `lib/domain/latency.ts`. */
export const latencyBucket = sql.raw(
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
