"use client";

import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useZone } from "@/components/ui/zone";
import { nameZone, writeTime } from "@/lib/domain/platform/zone";
import { arrangeData, describePlot, type Drawing, type PointedPlace } from "./describe-plot";
import { type Moments, momentScale, type Row, type Series } from "./metrics";

interface SeriesChartProps {
  range: Moments;
  bucketMs: number;
  series: readonly Series[];
  rows: readonly Row[];
  isStacked: boolean;
  /** The smallest difference of two numbers that `format` shows. */
  smallest: number;
  format: (value: number) => string;
  /** The range that was dragged across, in milliseconds. Without it, nothing can be selected. */
  onSelect?: (from: number, to: number) => void;
}

/** Numbers over time: as lines, or as bars on top of each other. A figure around it names it, and a table has its numbers. */
export function SeriesChart(props: SeriesChartProps) {
  const { range, bucketMs, series, rows, isStacked, smallest, format, onSelect } = props;
  const moments = momentScale(range);
  const zone = useZone();
  return (
    <div aria-hidden className="flex h-44 flex-col gap-2 select-none sm:h-56">
      <div className="relative min-h-0 flex-1">
        <Plot
          rows={rows}
          bucketMs={bucketMs}
          series={series}
          isStacked={isStacked}
          smallest={{ value: smallest, time: moments.stepMs }}
          formatValue={format}
          formatTime={(at) => writeTime(at, moments.format, zone)}
          describe={(row) => <ChartTooltip row={row} series={series} format={format} />}
          onSelect={
            onSelect &&
            ((first, last) => {
              const [from, to] = [rows[first]?.at, rows[last]?.at];
              if (from !== undefined && to !== undefined) onSelect(from, to + bucketMs);
            })
          }
        />
      </div>
      {series.length > 1 && <Legend series={series} />}
    </div>
  );
}

function Legend({ series }: { series: readonly Series[] }) {
  return (
    <p className="flex flex-wrap justify-center gap-x-4 text-xs leading-4 text-ink-soft">
      {series.map(({ key, name, color, dashes }) => (
        <span key={key} className="inline-flex max-w-56 items-center gap-1.5">
          <svg viewBox="0 0 16 4" className="h-1 w-4 shrink-0">
            <path d="M0 2H16" stroke={color} strokeWidth={3} strokeDasharray={dashes} />
          </svg>
          <span className="truncate">{name}</span>
        </span>
      ))}
    </p>
  );
}

interface PlotProps extends Drawing {
  /** The first and the last place that the mouse was dragged across. Without it, nothing can be selected. */
  onSelect?: (first: number, last: number) => void;
  describe: (row: Row) => ReactNode;
}

/** Draws on a canvas, so a text or a table must say the same. What is under the pointer is described beside it. */
function Plot({ onSelect, describe, ...drawing }: PlotProps) {
  const { rows, bucketMs, series, isStacked } = drawing;
  const box = useRef<HTMLDivElement>(null);
  const drawn = useRef<uPlot>(undefined);
  const [pointed, setPointed] = useState<PointedPlace>();
  const readDrawing = useEffectEvent(() => drawing);
  const select = useEffectEvent((first: number, last: number) => onSelect?.(first, last));
  const isSelectable = onSelect !== undefined;
  const look = JSON.stringify([isStacked, isSelectable, series.map(({ color, dashes }) => [color, dashes])]);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const options = describePlot(element, () => readDrawing(), {
      onPoint: setPointed,
      onSelect: isSelectable ? (first, last) => select(first, last) : undefined,
    });
    const plot = new uPlot(options, arrangeData(readDrawing()), element);
    drawn.current = plot;
    const resized = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = element;
      // It is called at first, too, when the pointer may already be there.
      if (width === plot.width && height === plot.height) return;
      plot.setCursor({ left: -1, top: -1 });
      plot.setSize({ width, height });
    });
    resized.observe(element);
    const themed = new MutationObserver(() => plot.redraw());
    themed.observe(document.documentElement, { attributeFilter: ["class"] });
    return () => {
      resized.disconnect();
      themed.disconnect();
      plot.destroy();
      setPointed(undefined);
    };
  }, [look, isSelectable]);
  useEffect(
    () => drawn.current?.setData(arrangeData({ rows, bucketMs, series, isStacked })),
    [rows, bucketMs, series, isStacked],
  );
  const row = pointed === undefined ? undefined : rows[pointed.place];
  return (
    <>
      {pointed !== undefined && isStacked && (
        <div
          className="absolute top-2 bottom-6.5 bg-hover"
          style={{ left: pointed.left - pointed.width / 2, width: pointed.width }}
        />
      )}
      <div
        ref={box}
        className="absolute inset-0 [&_.u-cursor-x]:border-solid! [&_.u-cursor-x]:border-line-strong! [&_.u-select]:bg-accent/20!"
      />
      {pointed !== undefined && row !== undefined && (
        <div
          className={`pointer-events-none absolute top-2 z-10 px-3 ${pointed.isRight ? "-translate-x-full" : ""}`}
          style={{ left: pointed.left }}
        >
          {describe(row)}
        </div>
      )}
    </>
  );
}

interface ChartTooltipProps {
  row: Row;
  series: readonly Series[];
  format: (value: number) => string;
}

/** The numbers at one moment. */
function ChartTooltip({ row, series, format }: ChartTooltipProps) {
  const zone = useZone();
  return (
    <div className="rounded-field border border-line bg-raised px-3 py-2 text-xs leading-5 text-ink shadow-high">
      <p className="whitespace-nowrap text-ink-faint">
        {writeTime(row.at, "moment", zone)} · {nameZone(zone, row.at)}
      </p>
      {series.map(({ key, name, color }) => {
        const value = row.values[key] ?? null;
        return (
          <p key={key} className="flex items-center gap-2 whitespace-nowrap tabular-nums">
            <span aria-hidden className="h-0.5 w-3 rounded-full" style={{ background: color }} />
            <span className="max-w-40 truncate">{name}</span>
            <span className="ml-auto pl-3 font-medium">{value === null ? "–" : format(value)}</span>
          </p>
        );
      })}
    </div>
  );
}
