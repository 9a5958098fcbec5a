"use client";

import { useMemo } from "react";
import type { CallChart } from "@/lib/contract/call-log";
import { ChartTooltip } from "./chart-tooltip";
import { formatLatency, formatPercent, type Metric, METRICS, momentScale } from "./metrics";
import { Plot } from "./plot";
import { drawnSeries, type Series } from "./series";

interface TimeChartProps {
  chart: CallChart;
  metric: Metric;
  /** The selected range, in milliseconds. */
  onSelect: (from: number, to: number) => void;
}

const FORMATS: Record<Metric, (value: number) => string> = {
  calls: (value) => value.toLocaleString("en-US"),
  failures: formatPercent,
  latency: formatLatency,
  routes: formatLatency,
};

/** One metric over time. Dragging across it selects a range; the table does the same for the keyboard. */
export function TimeChart({ chart, metric, onSelect }: TimeChartProps) {
  const { series, rows } = useMemo(() => drawnSeries(chart, metric), [chart, metric]);
  const format = FORMATS[metric];
  const moments = momentScale(chart);
  const label = METRICS.find(({ id }) => id === metric)?.label ?? "";
  return (
    <figure aria-label={`${label} over time`} className="select-none">
      <div className="flex h-44 flex-col gap-2 sm:h-56" aria-hidden>
        <div className="relative min-h-0 flex-1">
          <Plot
            rows={rows}
            bucketMs={chart.bucketMs}
            series={series}
            isStacked={metric === "calls"}
            smallest={{ value: metric === "failures" ? 0.1 : 1, time: moments.stepMs }}
            formatValue={format}
            formatTime={(at) => moments.format.format(at)}
            describe={(row) => <ChartTooltip row={row} series={series} format={format} />}
            onSelect={(first, last) => {
              const [from, to] = [rows[first]?.at, rows[last]?.at];
              if (from !== undefined && to !== undefined) onSelect(from, to + chart.bucketMs);
            }}
          />
        </div>
        {series.length > 1 && <Legend series={series} />}
      </div>
      <figcaption className="mt-1 text-xs leading-5 text-ink-faint">
        <span className="max-sm:hidden">Drag across the chart to select a time range. </span>
        Times are in your time zone. Percentiles are accurate to 4%.
      </figcaption>
    </figure>
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
