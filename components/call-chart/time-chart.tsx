"use client";

import { useState } from "react";
import {
  Bar,
  CartesianGrid,
  ComposedChart,
  Legend,
  Line,
  ReferenceArea,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import type { CallChart } from "@/lib/contract/call-log";
import { ChartTooltip } from "./chart-tooltip";
import { formatLatency, formatPercent, type Metric, METRICS, momentFormat } from "./metrics";
import { drawnSeries } from "./series";

interface TimeChartProps {
  chart: CallChart;
  metric: Metric;
  /** The selected range, in milliseconds. */
  onSelect: (from: number, to: number) => void;
}

const tick = { fill: "var(--ink-faint)", fontSize: 12 };

const FORMATS: Record<Metric, (value: number) => string> = {
  calls: (value) => value.toLocaleString("en-US"),
  failures: formatPercent,
  latency: formatLatency,
  routes: formatLatency,
};

/** One metric over time. Dragging across it selects a range; the table does the same for the keyboard. */
export function TimeChart({ chart, metric, onSelect }: TimeChartProps) {
  const [dragged, setDragged] = useState<{ from: number; to: number }>();
  const { series, rows } = drawnSeries(chart, metric);
  const format = FORMATS[metric];
  const moment = momentFormat(chart);
  const label = METRICS.find(({ id }) => id === metric)?.label ?? "";
  const end = () => {
    setDragged(undefined);
    if (dragged === undefined) return;
    const [from, to] = [Math.min(dragged.from, dragged.to), Math.max(dragged.from, dragged.to)];
    if (from < to) onSelect(from, to + chart.bucketMs);
  };
  return (
    <figure aria-label={`${label} over time`} className="select-none">
      <div className="h-44 sm:h-56" aria-hidden>
        <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 320, height: 176 }}>
          <ComposedChart
            data={rows}
            accessibilityLayer={false}
            margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
            onMouseDown={({ activeLabel: at }) => isMoment(at) && setDragged({ from: at, to: at })}
            onMouseMove={({ activeLabel: at }) =>
              isMoment(at) && setDragged((drag) => (drag === undefined ? undefined : { ...drag, to: at }))
            }
            onMouseUp={end}
            onMouseLeave={() => setDragged(undefined)}
          >
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis
              dataKey="at"
              tickFormatter={(at: number) => moment.format(at)}
              tick={tick}
              tickLine={false}
              axisLine={{ stroke: "var(--line)" }}
              minTickGap={32}
            />
            <YAxis
              width={56}
              tickFormatter={format}
              tick={tick}
              tickLine={false}
              axisLine={false}
              allowDecimals={metric !== "calls"}
            />
            <Tooltip
              cursor={{ fill: "var(--hover)", stroke: "var(--line-strong)" }}
              content={(props) => <ChartTooltip {...props} format={format} />}
              isAnimationActive={false}
            />
            {series.length > 1 && <Legend wrapperStyle={{ fontSize: 12 }} />}
            {series.map(({ key, name, color, dashes }) =>
              metric === "calls" ? (
                <Bar
                  key={key}
                  dataKey={key}
                  name={name}
                  stackId="calls"
                  fill={color}
                  isAnimationActive={false}
                />
              ) : (
                <Line
                  key={key}
                  dataKey={key}
                  name={name}
                  stroke={color}
                  strokeDasharray={dashes}
                  strokeWidth={2}
                  legendType="plainline"
                  // A lone point between gaps would be invisible.
                  dot={{ r: 1.5, strokeWidth: 0, fill: color }}
                  isAnimationActive={false}
                />
              ),
            )}
            {dragged !== undefined && (
              <ReferenceArea x1={dragged.from} x2={dragged.to} fill="var(--accent)" fillOpacity={0.2} />
            )}
          </ComposedChart>
        </ResponsiveContainer>
      </div>
      <figcaption className="mt-1 text-xs leading-5 text-ink-faint">
        <span className="max-sm:hidden">Drag across the chart to select a time range. </span>
        Times are in your time zone. Percentiles are accurate to 4%.
      </figcaption>
    </figure>
  );
}

const isMoment = (at: unknown): at is number => typeof at === "number";
