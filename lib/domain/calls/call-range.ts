/** Times of calls: what a filter's range means, and into which buckets a chart divides it. Pure. */
import { TIME_SPANS, type TimeRange } from "@/lib/contract/platform/time-range";

export interface CallRange {
  from?: Date;
  to?: Date;
}

/** The range of a filter at `now`. Exact times win over a period before now. */
export function toRange({ last, from, to }: TimeRange, now: Date): CallRange {
  if (from !== undefined || to !== undefined)
    return {
      from: from === undefined ? undefined : new Date(from),
      to: to === undefined ? undefined : new Date(to),
    };
  return last === undefined ? {} : { from: new Date(now.getTime() - TIME_SPANS[last].ms) };
}

/** When a UUIDv7 was created. */
export function createdAt(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

const MINUTE = 60_000;
const BUCKETS = [
  1_000,
  5_000,
  15_000,
  30_000,
  ...[1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1_440].map((minutes) => minutes * MINUTE),
];
const MOST_BUCKETS = 60;

/** The shortest round length, in milliseconds and at least `least`, that divides a range into at most 61 buckets. */
export function bucketLength(from: Date, to: Date, least = 0): number {
  const wanted = Math.max(least, (to.getTime() - from.getTime()) / MOST_BUCKETS);
  const day = 1_440 * MINUTE;
  return BUCKETS.find((bucket) => bucket >= wanted) ?? Math.ceil(wanted / day) * day;
}

export const HOUR_MS = 60 * MINUTE;

interface Times {
  from: Date;
  to: Date;
}

/**
 * Which part of a chart's range can be added up from whole hours, and which parts need their calls counted: what is before and
 * after those hours, or everything if a bucket is shorter than an hour.
 * @param countedUntil until when hours are counted
 */
export function divideRange(
  { from, to }: Times,
  bucketMs: number,
  countedUntil: Date | undefined,
): { hours: Times | undefined; calls: Times[] } {
  const first = Math.ceil(from.getTime() / HOUR_MS) * HOUR_MS;
  const end = Math.min(countedUntil?.getTime() ?? 0, Math.floor(to.getTime() / HOUR_MS) * HOUR_MS);
  if (bucketMs % HOUR_MS !== 0 || first >= end) return { hours: undefined, calls: [{ from, to }] };
  const hours = { from: new Date(first), to: new Date(end) };
  const beside = [
    { from, to: hours.from },
    { from: hours.to, to },
  ];
  return { hours, calls: beside.filter((part) => part.from < part.to) };
}

/** As `date_bin` counts: a Monday, so that buckets of weeks begin on Mondays. */
const ORIGIN_MS = Date.UTC(2000, 0, 3);

/** The beginnings of all buckets of a range, in milliseconds, also of those without calls. */
export function listBuckets(from: Date, to: Date, bucketMs: number): number[] {
  const first = Math.floor((from.getTime() - ORIGIN_MS) / bucketMs) * bucketMs + ORIGIN_MS;
  const count = Math.max(1, Math.ceil((to.getTime() - first) / bucketMs));
  return Array.from({ length: count }, (_, index) => first + index * bucketMs);
}

/**
 * Latencies in buckets that grow by 8%, so that those of many hours and routes can be added up, and percentiles of the sum are
 * within 4%. Pure.
 */

/** Each bucket begins at this many times the one before. The first begins at 1 ms and includes 0 ms. */
export const LATENCY_GROWTH = 1.08;

/** The bucket of calls that have not ended, which have no latency. */
export const NOT_ENDED = -1;

/** Calls, as PostgreSQL counts them. */
export interface LatencyCounts {
  /** Buckets, and how many calls are in each. A bucket may occur several times. */
  latencies: number[];
  calls: number[];
  failed: number;
}

interface Measures {
  calls: number;
  failed: number;
  /** Milliseconds; null if no call ended. */
  p50: number | null;
  p95: number | null;
}

export class LatencyTally {
  readonly #calls = new Map<number, number>();
  #failed = 0;

  add({ latencies, calls, failed }: LatencyCounts): void {
    latencies.forEach((bucket, at) => {
      this.#calls.set(bucket, (this.#calls.get(bucket) ?? 0) + (calls[at] ?? 0));
    });
    this.#failed += failed;
  }

  measure(): Measures {
    const ended = [...this.#calls]
      .filter(([bucket]) => bucket !== NOT_ENDED)
      .sort(([one], [other]) => one - other);
    const count = ended.reduce((sum, [, calls]) => sum + calls, 0);
    return {
      calls: count + (this.#calls.get(NOT_ENDED) ?? 0),
      failed: this.#failed,
      p50: quantile(ended, count * 0.5),
      p95: quantile(ended, count * 0.95),
    };
  }
}

/** The latency that so many calls did not exceed. */
function quantile(ended: [bucket: number, calls: number][], rank: number): number | null {
  let seen = 0;
  for (const [bucket, calls] of ended) {
    seen += calls;
    if (seen >= rank) return Math.round(LATENCY_GROWTH ** (bucket + 0.5));
  }
  return null;
}
