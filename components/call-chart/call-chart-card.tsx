"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { lazyPart } from "@/components/ui/lazy-part";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { Skeleton } from "@/components/ui/skeleton";
import { callApi } from "@/lib/client/api";
import type { CallChart } from "@/lib/contract/call-log";
import { type CallFilter, toCallQuery } from "@/lib/contract/call-filter";
import { TIME_SPANS } from "@/lib/contract/time-range";
import { ChartTable } from "./chart-table";
import { formatCount, formatLatency, formatShare, METRICS, type Metric } from "./metrics";
import { RouteTable } from "./route-table";

/** The chart library is loaded when there is something to draw. */
const TimeChart = lazyPart(
  () => import("./time-chart").then((module) => module.TimeChart),
  <Skeleton className="h-50 w-full sm:h-62" />,
);

interface CallChartCardProps {
  filter: CallFilter;
  change: (changed: CallFilter) => void;
}

const REFRESH_MS = 15_000;

/** Rate, failures and latency over time, as a chart or a table, and by route. */
export function CallChartCard({ filter, change }: CallChartCardProps) {
  const [metric, setMetric] = useState<Metric>("calls");
  const [isTable, setTable] = useState(false);
  const query = toCallQuery({ ...filter, state: undefined, q: undefined, slower: undefined }).toString();
  const { data: chart, error } = useQuery({
    queryKey: ["calls", "chart", query],
    queryFn: ({ signal }) =>
      callApi("GET", `/api/calls/chart${query === "" ? "" : `?${query}`}`, {
        answer: async () => (await import("@/lib/contract/call-log")).callChart,
        signal,
      }),
    placeholderData: (before) => before,
    refetchInterval: filter.to === undefined ? REFRESH_MS : false,
  });
  const select = (from: number, to: number) =>
    change({ last: undefined, from: new Date(from).toISOString(), to: new Date(to).toISOString() });
  const hasCalls = chart !== undefined && chart.total.calls > 0;
  return (
    <Card
      title="Activity"
      description={describeRange(filter, chart)}
      actions={
        hasCalls && (
          <Button size="small" onPress={() => setTable((was) => !was)}>
            {isTable ? "Show chart" : "Show table"}
          </Button>
        )
      }
    >
      <ProblemNotice error={error} />
      {chart === undefined && error === null && <Skeleton className="h-64 w-full" />}
      {chart?.total.calls === 0 && <p className="text-ink-soft">No calls in this time range.</p>}
      {hasCalls && (
        <div className="flex flex-col gap-5">
          <Totals chart={chart} metric={metric} onChange={setMetric} />
          {isTable ? (
            <ChartTable chart={chart} onSelect={select} />
          ) : (
            <TimeChart chart={chart} metric={metric} onSelect={select} />
          )}
          <RouteTable chart={chart} filter={filter} change={change} />
        </div>
      )}
    </Card>
  );
}

function describeRange({ last, from, to }: CallFilter, chart: CallChart | undefined): string {
  const range =
    from !== undefined || to !== undefined ? "The selected time range" : TIME_SPANS[last ?? "24h"].text;
  return chart?.partial === true ? `${range}, the newest ${formatCount(chart.total.calls)} calls` : range;
}

interface TotalsProps {
  chart: CallChart;
  metric: Metric;
  onChange: (metric: Metric) => void;
}

/** The numbers for the whole range; the selected one is drawn. */
function Totals({ chart: { total, routes }, metric, onChange }: TotalsProps) {
  const texts: Record<Metric, string> = {
    calls: formatCount(total.calls),
    failures: formatShare(total),
    latency:
      total.p50 === null || total.p95 === null
        ? "–"
        : `${formatLatency(total.p50)} · ${formatLatency(total.p95)}`,
    routes: routes.length === 1 ? "1 route" : `${routes.length} routes`,
  };
  return (
    <div role="group" aria-label="What the chart shows" className="grid grid-cols-2 gap-2 sm:grid-cols-4">
      {METRICS.map(({ id, label }) => (
        <button
          key={id}
          type="button"
          aria-pressed={metric === id}
          onClick={() => onChange(id)}
          className={`cursor-pointer rounded-field border px-3 py-2 text-left transition-colors ${
            metric === id ? "border-accent-text bg-accent-soft" : "border-line hover:bg-hover"
          }`}
        >
          <span className="block text-xs text-ink-soft">{label}</span>
          <span className="block text-lg font-semibold whitespace-nowrap text-ink tabular-nums">
            {texts[id]}
          </span>
        </button>
      ))}
    </div>
  );
}
