/** Where a chart has its ticks, and how its bars are stacked. Pure. */

const STEPS = [1, 2, 2.5, 5, 10];
const INTERVALS = 4;

/** Round numbers from 0 up to the first that is not below `max`: multiples of `smallest`, so that each reads differently. */
export function valueTicks(max: number, smallest: number): number[] {
  const exact = Math.max(max / smallest / INTERVALS, 1);
  const power = 10 ** Math.floor(Math.log10(exact));
  const steps = STEPS.map((step) => step * power);
  const step = (steps.find((each) => each >= exact && Number.isInteger(each)) ?? 10 * power) * smallest;
  return Array.from({ length: Math.max(1, Math.ceil(max / step)) + 1 }, (_, index) => index * step);
}

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];
const INTERVALS_MS = [
  ...[1, 5, 15, 30].map((count) => count * SECOND),
  ...[1, 5, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 4, 7, 14, 28, 56].map((count) => count * DAY),
];

/** The round times, in milliseconds and at least `smallest`, that may be between two ticks. */
export function timeIntervals(smallest: number): number[] {
  return INTERVALS_MS.filter((interval) => interval >= smallest);
}

type Values = readonly (number | null)[];

/** The top of each series' part of the stacks, in the order of `series`; null where it has no part. */
export function stack(series: readonly Values[]): (number | null)[][] {
  const tops: number[] = [];
  return series.map((values) =>
    values.map((value, place) => {
      if (value === null || value === 0) return null;
      return (tops[place] = (tops[place] ?? 0) + value);
    }),
  );
}

/** The highest number; 0 if there is none. */
export function highest(series: readonly Values[]): number {
  return series.flat().reduce<number>((max, value) => Math.max(max, value ?? 0), 0);
}
