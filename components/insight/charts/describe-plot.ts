/** What uPlot needs to know to draw a chart. */
import uPlot from "uplot";
import { scaled } from "@/components/ui/root-font-size";
import type { Row, Series } from "./metrics";

export interface Drawing {
  rows: readonly Row[];
  /** How much time a row covers. */
  bucketMs: number;
  series: readonly Series[];
  /** Bars on top of each other; otherwise lines. */
  isStacked: boolean;
  /** The smallest differences of two numbers, and of two times in milliseconds, that their texts show. */
  smallest: { value: number; time: number };
  formatValue: (value: number) => string;
  formatTime: (at: number) => string;
}

/** The middle and the width of a row's place in pixels, and whether it is in the right half of the chart. */
export interface PointedPlace {
  place: number;
  left: number;
  width: number;
  isRight: boolean;
}

interface PlotEvents {
  onPoint: (pointed: PointedPlace | undefined) => void;
  onSelect: ((first: number, last: number) => void) | undefined;
}

type DrawnData = Pick<Drawing, "rows" | "bucketMs" | "series" | "isStacked">;

/** Each row is in the middle of the time that it covers. The highest part of a stack comes first, and the next is drawn over it. */
export function arrangeData(data: DrawnData): uPlot.AlignedData {
  const heights = readHeights(data);
  return [
    data.rows.map(({ at }) => at + data.bucketMs / 2),
    ...(data.isStacked ? heights.toReversed() : heights),
  ];
}

function readHeights({ rows, series, isStacked }: DrawnData): (number | null)[][] {
  const values = series.map(({ key }) => rows.map((row) => row.values[key] ?? null));
  return isStacked ? stack(values) : values;
}

/** @param read what to draw now; its colors and the number of its series stay the same */
export function describePlot(element: HTMLElement, read: () => Drawing, events: PlotEvents): uPlot.Options {
  const { series, isStacked } = read();
  const style = getComputedStyle(element);
  // Read whenever it is drawn, so that a redraw follows the theme.
  const paint = (color: string) => () => style.getPropertyValue(color.slice("var(".length, -1));
  const text = {
    stroke: paint("var(--ink-faint)"),
    font: `${scaled(12)}px ${style.fontFamily}`,
    ticks: { show: false },
  };
  const line = { stroke: paint("var(--line)"), width: 1 };
  const readTicks = () => valueTicks(highest(readHeights(read())), read().smallest.value);
  return {
    width: element.clientWidth,
    height: element.clientHeight,
    ms: 1,
    padding: [8, 8, 0, 0],
    legend: { show: false },
    scales: {
      x: { range: () => readRange(read()) },
      y: { range: () => [0, readTicks().at(-1) ?? 1] },
    },
    axes: [
      {
        ...text,
        size: scaled(26),
        gap: 8,
        space: 64,
        grid: { show: false },
        border: { ...line, show: true },
        incrs: () => timeIntervals(read().smallest.time),
        values: (plot, splits) => splits.map((at) => (isCut(plot, at) ? "" : read().formatTime(at))),
      },
      {
        ...text,
        size: scaled(56),
        gap: 8,
        grid: line,
        splits: readTicks,
        values: (_plot, splits) => splits.map(read().formatValue),
      },
    ],
    series: [
      {},
      ...(isStacked
        ? series.toReversed().map(({ color }) => describeBars(paint(color)))
        : series.map((each) => describeLine(each, paint(each.color)))),
    ],
    cursor: {
      x: !isStacked,
      y: false,
      points: isStacked
        ? { show: false }
        : { size: 7, width: 0, fill: (_plot, index) => paint(series[index - 1]?.color ?? "")() },
      // Onto the nearest row, where selections begin and end too.
      move: (plot, left, top) => [left < 0 ? left : readLeft(plot, plot.posToIdx(left)), top],
      drag: { setScale: false, dist: 4, x: events.onSelect !== undefined },
    },
    hooks: {
      setCursor: [(plot) => events.onPoint(readPlace(plot, read()))],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select;
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          if (width > 0) events.onSelect?.(plot.posToIdx(left), plot.posToIdx(left + width));
        },
      ],
    },
  };
}

function readRange({ rows, bucketMs }: Drawing): [number, number] {
  const from = rows[0]?.at ?? 0;
  return [from, (rows.at(-1)?.at ?? from) + bucketMs];
}

function describeBars(fill: () => string): uPlot.Series {
  return { fill, width: 0, paths: uPlot.paths.bars?.({ size: [0.8, Infinity] }), points: { show: false } };
}

function describeLine({ dashes }: Series, stroke: () => string): uPlot.Series {
  return {
    stroke,
    width: 2,
    dash: dashes?.split(" ").map((length) => Number(length) * devicePixelRatio),
    // A lone point between gaps would be invisible.
    points: { show: true, size: 3, width: 0, fill: stroke },
  };
}

/** Half of a time's text, in pixels. */
const HALF_TEXT = 26;

/** Whether the chart's edge would cut off the text of a tick. */
function isCut(plot: uPlot, at: number): boolean {
  return plot.valToPos(at, "x", true) / devicePixelRatio + HALF_TEXT > plot.width;
}

const readLeft = (plot: uPlot, place: number) => plot.valToPos(plot.data[0]?.[place] ?? 0, "x");

function readPlace(plot: uPlot, { rows }: Drawing): PointedPlace | undefined {
  const { idx: place, left = -1 } = plot.cursor;
  if (typeof place !== "number" || left < 0) return undefined;
  const width = plot.over.clientWidth;
  return {
    place,
    left: plot.over.offsetLeft + left,
    width: width / rows.length,
    isRight: left > width / 2,
  };
}

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
