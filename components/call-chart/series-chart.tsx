"use client";

import { ChartTooltip } from "./chart-tooltip";
import { type Moments, momentScale } from "./metrics";
import { Plot } from "./plot";
import type { Row, Series } from "./series";

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
          formatTime={(at) => moments.format.format(at)}
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
