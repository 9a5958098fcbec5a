import { desc, eq, sql } from "drizzle-orm";
import { attempts } from "@/drizzle/schema/deliveries";
import { routes } from "@/drizzle/schema/installations";
import type { CallFilter } from "@/lib/contract/call-log";
import type { Db } from "../database/connect";
import { type CallScope, charted } from "./queries";

/** The newest calls of a range that a chart counts, so that its time is bounded: see docs/decisions/035 for what it takes. */
export const CHARTED_CALLS = 1_000_000;

/** Buckets begin at multiples of their length since this moment. */
const ORIGIN = sql`timestamptz '2000-01-03 00:00:00Z'`;

const seconds = (ms: number) => sql`make_interval(secs => ${ms / 1000})`;

/**
 * Counts and percentiles of the calls in a range: in all (both null), of each bucket (`at`), of each route (`path`), and of each
 * route in each bucket.
 */
export async function selectMeasures(db: Db, scope: CallScope, filter: CallFilter, bucketMs: number) {
  const calls = db
    .select({
      at: sql<Date>`date_bin(${seconds(bucketMs)}, ${attempts.startedAt}, ${ORIGIN})`.as("at"),
      routeId: attempts.routeId,
      durationMs: attempts.durationMs,
      failure: attempts.failure,
    })
    .from(attempts)
    .where(charted(scope, filter))
    .orderBy(desc(attempts.id))
    .limit(CHARTED_CALLS)
    .as("calls");
  const route = sql`${routes.kind}, ${routes.path}`;
  const quantile = (share: number) =>
    sql<number | null>`percentile_cont(${share}::float8) within group (order by ${calls.durationMs})`;
  return db
    .select({
      at: sql<Date | null>`${calls.at}`.mapWith(attempts.startedAt),
      kind: sql<(typeof routes.$inferSelect)["kind"] | null>`${routes.kind}`,
      path: sql<string | null>`${routes.path}`,
      calls: sql<number>`count(*)`.mapWith(Number),
      failed: sql<number>`count(${calls.failure})`.mapWith(Number),
      p50: quantile(0.5),
      p95: quantile(0.95),
    })
    .from(calls)
    .innerJoin(routes, eq(routes.id, calls.routeId))
    .groupBy(sql`grouping sets ((), (${calls.at}), (${route}), (${calls.at}, ${route}))`);
}
