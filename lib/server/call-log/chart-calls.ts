import { LRUCache } from "lru-cache";
import { CALL_SPANS, type CallChart, type CallFilter, toCallQuery } from "@/lib/contract/call-log";
import type { Member } from "@/lib/domain/actor";
import { bucketLength, toRange } from "@/lib/domain/call-range";
import type { Platform } from "../platform/platform";
import { CHARTED_CALLS, selectMeasures } from "./chart-queries";
import { findScope } from "./find-scope";

/** If the filter has no time. */
const DEFAULT_SPAN = "24h";

/** The busiest of them. */
const MOST_ROUTES = 50;

/** Charts that several people look at, or one person refreshes, are computed once. A long range changes slowly. */
const charts = new LRUCache<string, Promise<CallChart>>({ max: 500 });
const freshFor = (rangeMs: number) => Math.min(60_000, Math.max(2_000, rangeMs / 20_000));

/**
 * Rate, failures and latency of the calls that a filter is about, over time and by route. Only its scope and its time count.
 * @throws NOT_FOUND if the filter names an installation of another organization
 */
export async function chartCalls(platform: Platform, member: Member, filter: CallFilter): Promise<CallChart> {
  const counted = { ...filter, state: undefined, q: undefined, slower: undefined };
  const scope = await findScope(platform.db, member, counted);
  const now = new Date();
  const { to = now, from = new Date(to.getTime() - CALL_SPANS[DEFAULT_SPAN].ms) } = toRange(filter, now);
  const key = `${member.organization.id}?${toCallQuery(counted)}`;
  const known = charts.get(key);
  if (known !== undefined) return known;
  const made = makeChart(platform, { ...scope, range: { from, to } }, filter, from, to);
  charts.set(key, made, { ttl: freshFor(to.getTime() - from.getTime()) });
  made.catch(() => charts.delete(key));
  return made;
}

async function makeChart(
  { db }: Platform,
  scope: Awaited<ReturnType<typeof findScope>>,
  filter: CallFilter,
  from: Date,
  to: Date,
): Promise<CallChart> {
  const bucketMs = bucketLength(from, to);
  const rows = await selectMeasures(db, scope, filter, bucketMs);
  const measure = ({ calls, failed, p50, p95 }: (typeof rows)[number]) => ({ calls, failed, p50, p95 });
  const inAll = rows.find(({ at, path }) => at === null && path === null);
  const total = inAll === undefined ? NOTHING : measure(inAll);
  const times = listTimes(from, to, bucketMs);
  const byTime = new Map(
    rows.filter(({ path }) => path === null).map((row) => [row.at?.getTime(), measure(row)]),
  );
  const ofRoutes = new Map<string, number | null>();
  for (const { at, kind, path, p95 } of rows)
    if (at !== null && path !== null) ofRoutes.set(`${at.getTime()} ${kind} ${path}`, p95);
  const routes = rows
    .flatMap((row) =>
      row.at !== null || row.path === null || row.kind === null
        ? []
        : [{ kind: row.kind, path: row.path, ...measure(row) }],
    )
    .sort((one, other) => other.calls - one.calls)
    .slice(0, MOST_ROUTES)
    .map((route) => ({
      ...route,
      p95s: times.map((time) => ofRoutes.get(`${time} ${route.kind} ${route.path}`) ?? null),
    }));
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    bucketMs,
    partial: total.calls >= CHARTED_CALLS,
    total,
    points: times.map((time) => ({ at: new Date(time).toISOString(), ...(byTime.get(time) ?? NOTHING) })),
    routes,
  };
}

const NOTHING = { calls: 0, failed: 0, p50: null, p95: null };

/** As `date_bin` counts: a Monday, so that buckets of weeks begin on Mondays. */
const ORIGIN_MS = Date.UTC(2000, 0, 3);

/** The beginnings of all buckets of a range, also of those without calls. */
function listTimes(from: Date, to: Date, bucketMs: number): number[] {
  const first = Math.floor((from.getTime() - ORIGIN_MS) / bucketMs) * bucketMs + ORIGIN_MS;
  const count = Math.max(1, Math.ceil((to.getTime() - first) / bucketMs));
  return Array.from({ length: count }, (_, index) => first + index * bucketMs);
}
