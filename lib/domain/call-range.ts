/** Times of calls: what a filter's range means, and into which buckets a chart divides it. Pure. */
import { TIME_SPANS, type TimeRange } from "@/lib/contract/time-range";

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

/** The smallest UUIDv7 of a millisecond: ids from there on were created then or later. */
export function firstIdAt(moment: Date): string {
  const ms = Math.max(0, Math.min(moment.getTime(), 0xffff_ffff_ffff));
  const hex = ms.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
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
