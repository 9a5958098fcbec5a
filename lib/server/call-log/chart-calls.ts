import { LRUCache } from "lru-cache";
import type { CallChart } from "@/lib/contract/call-log";
import { type CallFilter, toCallQuery } from "@/lib/contract/call-filter";
import { TIME_SPANS } from "@/lib/contract/time-range";
import type { Member } from "@/lib/domain/actor";
import { bucketLength, divideRange, toRange } from "@/lib/domain/call-range";
import { type LatencyCounts, LatencyTally } from "@/lib/domain/latency";
import type { Platform } from "../platform/platform";
import { CHARTED_CALLS, countCalls, selectCountedUntil, sumHours } from "./chart-queries";
import { findScope } from "./find-scope";

/** The range if the filter has none. */
const DEFAULT_SPAN = "24h";

/** The busiest of them. */
const MOST_ROUTES = 50;

/** A chart that several people look at, or that one person refreshes, is computed once. A long range changes slowly. */
const charts = new LRUCache<string, Promise<CallChart>>({ max: 500 });
const freshFor = (rangeMs: number) => Math.min(60_000, Math.max(2_000, rangeMs / 20_000));

/**
 * Rate, failures and latency of the calls that a filter is about, over time and by route. Only its scope and its time range count.
 * @throws NOT_FOUND if the filter names an installation of another organization
 */
export async function chartCalls(platform: Platform, member: Member, filter: CallFilter): Promise<CallChart> {
  const counted = { ...filter, state: undefined, q: undefined, slower: undefined };
  const scope = await findScope(platform.db, member, counted);
  const now = new Date();
  const { to = now, from = new Date(to.getTime() - TIME_SPANS[DEFAULT_SPAN].ms) } = toRange(filter, now);
  const key = `${member.organization.id}?${toCallQuery(counted)}`;
  const known = charts.get(key);
  if (known !== undefined) return known;
  const made = makeChart(platform, scope, filter, from, to);
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
  const { hours, calls } = divideRange({ from, to }, bucketMs, await selectCountedUntil(db));
  const counted = await Promise.all(
    calls.map((range) => countCalls(db, { ...scope, range }, filter, bucketMs)),
  );
  const summed = hours === undefined ? [] : await sumHours(db, scope, filter, bucketMs, hours);
  const total = new LatencyTally();
  const byTime = new Map<number, LatencyTally>();
  const byRoute = new Map<string, RouteTally>();
  for (const row of [...counted.flat(), ...summed]) {
    const at = row.at.getTime();
    total.add(row);
    addTo(byTime, at, row);
    const { kind, path } = row;
    const name = `${kind} ${path}`;
    const route = byRoute.get(name) ?? { kind, path, tally: new LatencyTally(), byTime: new Map() };
    byRoute.set(name, route);
    route.tally.add(row);
    addTo(route.byTime, at, row);
  }
  const times = listTimes(from, to, bucketMs);
  const routes = [...byRoute.values()]
    .map(({ tally, ...route }) => ({ ...route, ...tally.measure() }))
    .sort((one, other) => other.calls - one.calls || one.path.localeCompare(other.path))
    .slice(0, MOST_ROUTES)
    .map(({ byTime: ofRoute, ...route }) => ({
      ...route,
      p95s: times.map((time) => ofRoute.get(time)?.measure().p95 ?? null),
    }));
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    bucketMs,
    partial: counted.some((rows) => sum(rows.flatMap(({ calls: each }) => each)) >= CHARTED_CALLS),
    total: total.measure(),
    points: times.map((time) => ({
      at: new Date(time).toISOString(),
      ...(byTime.get(time) ?? NOTHING).measure(),
    })),
    routes,
  };
}

interface RouteTally {
  kind: CallChart["routes"][number]["kind"];
  path: string;
  tally: LatencyTally;
  byTime: Map<number, LatencyTally>;
}

const NOTHING = new LatencyTally();

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

function addTo(tallies: Map<number, LatencyTally>, at: number, counts: LatencyCounts): void {
  const tally = tallies.get(at) ?? new LatencyTally();
  tallies.set(at, tally);
  tally.add(counts);
}

/** As `date_bin` counts: a Monday, so that buckets of weeks begin on Mondays. */
const ORIGIN_MS = Date.UTC(2000, 0, 3);

/** The beginnings of all buckets of a range, also of those without calls. */
function listTimes(from: Date, to: Date, bucketMs: number): number[] {
  const first = Math.floor((from.getTime() - ORIGIN_MS) / bucketMs) * bucketMs + ORIGIN_MS;
  const count = Math.max(1, Math.ceil((to.getTime() - first) / bucketMs));
  return Array.from({ length: count }, (_, index) => first + index * bucketMs);
}
