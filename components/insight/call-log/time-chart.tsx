"use client";

import { useMemo } from "react";
import { ZoneName } from "@/components/ui/zone";
import type { CallChart } from "@/lib/contract/insight/call";
import { drawnSeries, formatLatency, formatPercent, type Metric, METRICS } from "../charts/metrics";
import { SeriesChart } from "../charts/series-chart";

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
  const label = METRICS.find(({ id }) => id === metric)?.label ?? "";
  return (
    <figure aria-label={`${label} over time`}>
      <SeriesChart
        range={chart}
        bucketMs={chart.bucketMs}
        series={series}
        rows={rows}
        isStacked={metric === "calls"}
        smallest={metric === "failures" ? 0.1 : 1}
        format={FORMATS[metric]}
        onSelect={onSelect}
      />
      <figcaption className="mt-1 text-xs leading-5 text-ink-faint">
        <span className="max-sm:hidden">Drag across the chart to select a time range. </span>
        Times are in <ZoneName at={chart.to} />. Percentiles are accurate to within 4%.
      </figcaption>
    </figure>
  );
}
