import { type CallFilter, toCallQuery } from "@/lib/contract/calls/call-filter";
import type { CallChart } from "@/lib/contract/insight/call";
import { TIME_SPANS } from "@/lib/contract/platform/time-range";
import {
  bucketLength,
  divideRange,
  type LatencyCounts,
  LatencyTally,
  listBuckets,
  toRange,
} from "@/lib/domain/calls/call-range";
import type { Member } from "@/lib/domain/platform/actor";
import type { Db } from "../../platform/database/connect";
import type { Platform } from "../../platform/platform";
import { shareReads } from "../../platform/shared-reads";
import {
  CHARTED_CALLS,
  type ChartedCalls,
  countCalls,
  filterCharted,
  selectCountedUntil,
  sumHours,
} from "./chart-queries";
import { findScope } from "./list-calls";

/** The range if the filter has none. */
const DEFAULT_SPAN = "24h";

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
  const range = { from, to, bucketMs: bucketLength(from, to) };
  return drawCalls(platform, key, filterCharted(scope, filter), range);
}

/** The busiest of them. */
const MOST_ROUTES = 50;

interface ChartRange {
  from: Date;
  to: Date;
  bucketMs: number;
}

/** A chart that several people look at, or that one person refreshes, is computed once. A long range changes slowly. */
const sharedCharts = shareReads<CallChart>({ max: 500, freshMs: 2_000 });
const freshFor = (rangeMs: number) => Math.min(60_000, Math.max(2_000, rangeMs / 20_000));

/**
 * Rate, failures and latency of calls, over time and by route.
 * @param key names what it shows: the calls and the range
 */
export function drawCalls(
  { db }: Platform,
  key: string,
  charted: ChartedCalls,
  range: ChartRange,
): Promise<CallChart> {
  const freshMs = freshFor(range.to.getTime() - range.from.getTime());
  return sharedCharts(key, () => tallyCalls(db, charted, range), freshMs);
}

async function tallyCalls(
  db: Db,
  charted: ChartedCalls,
  { from, to, bucketMs }: ChartRange,
): Promise<CallChart> {
  const { hours, calls } = divideRange({ from, to }, bucketMs, await selectCountedUntil(db));
  const counted = await Promise.all(calls.map((range) => countCalls(db, charted.attempts(range), bucketMs)));
  const summed = hours === undefined ? [] : await sumHours(db, charted.hours(hours), bucketMs);
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
  const times = listBuckets(from, to, bucketMs);
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
    routesInAll: byRoute.size,
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
