"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card, MoreNote, Skeleton } from "@/components/ui/card";
import { lazyPart } from "@/components/ui/forms/lazy-code";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { Table, TableBody, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { UserText } from "@/components/ui/values";
import { useZone } from "@/components/ui/zone";
import { callApi } from "@/lib/client/api";
import { type CallFilter, toCallQuery } from "@/lib/contract/calls/call-filter";
import type { CallChart } from "@/lib/contract/insight/call";
import { TIME_SPANS } from "@/lib/contract/platform/time-range";
import { nameZone, writeTime } from "@/lib/domain/platform/zone";
import { formatCount } from "@/lib/domain/platform/text";
import { formatLatency, formatShare, type Metric, METRICS } from "../charts/metrics";
import { ROUTE_KIND_LABELS } from "./describe-call";

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
        answer: async () => (await import("@/lib/contract/insight/call")).callChart,
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
function Totals({ chart: { total, routesInAll }, metric, onChange }: TotalsProps) {
  const texts: Record<Metric, string> = {
    calls: formatCount(total.calls),
    failures: formatShare(total),
    latency:
      total.p50 === null || total.p95 === null
        ? "–"
        : `${formatLatency(total.p50)} · ${formatLatency(total.p95)}`,
    routes: routesInAll === 1 ? "1 route" : `${formatCount(routesInAll)} routes`,
  };
  return (
    <div
      role="group"
      aria-label="What the chart shows"
      className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] gap-2"
    >
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
          <span className="block text-lg font-semibold text-ink tabular-nums sm:whitespace-nowrap">
            {texts[id]}
          </span>
        </button>
      ))}
    </div>
  );
}

interface ChartTableProps {
  chart: CallChart;
  onSelect: (from: number, to: number) => void;
}

/** The chart's numbers, for people who prefer a table or can't see the chart. A time selects its calls. */
function ChartTable({ chart, onSelect }: ChartTableProps) {
  const zone = useZone();
  const points = chart.points.filter(({ calls }) => calls > 0).reverse();
  return (
    <div className="max-h-80 overflow-y-auto rounded-field border border-line">
      <Table label="Calls over time">
        <TableHead columns={[`From (${nameZone(zone)})`, "Calls", "Failed", "Error rate", "p50", "p95"]} />
        <TableBody>
          {points.map((point) => {
            const at = Date.parse(point.at);
            return (
              <TableRow key={point.at}>
                <TableCell>
                  <button
                    type="button"
                    onClick={() => onSelect(at, at + chart.bucketMs)}
                    className="cursor-pointer rounded-sm py-0.5 text-accent-text hover:underline"
                  >
                    {writeTime(at, "moment", zone)}
                  </button>
                </TableCell>
                <MeasureCell label="Calls">{formatCount(point.calls)}</MeasureCell>
                <MeasureCell label="Failed">{formatCount(point.failed)}</MeasureCell>
                <MeasureCell label="Error rate">{formatShare(point)}</MeasureCell>
                <MeasureCell label="p50">{point.p50 === null ? "–" : formatLatency(point.p50)}</MeasureCell>
                <MeasureCell label="p95">{point.p95 === null ? "–" : formatLatency(point.p95)}</MeasureCell>
              </TableRow>
            );
          })}
        </TableBody>
      </Table>
    </div>
  );
}

function MeasureCell({ label, children }: { label: string; children: string }) {
  return (
    <TableCell label={label} className="tabular-nums">
      {children}
    </TableCell>
  );
}

interface RouteTableProps {
  chart: CallChart;
  filter: CallFilter;
  change: (changed: CallFilter) => void;
}

const GRID =
  "grid grid-cols-[repeat(auto-fit,minmax(min(100%,3.5rem),1fr))] gap-x-4 sm:grid-cols-[minmax(0,1fr)_5rem_5rem_5rem_5rem]";

const SHOWN = 8;

/** The busiest routes. A route narrows the page to its calls, and back. */
function RouteTable({ chart, filter, change }: RouteTableProps) {
  return (
    <div className="flex flex-col gap-2">
      <div aria-hidden className={`hidden text-xs font-medium text-ink-faint sm:grid ${GRID}`}>
        <span>Route</span>
        {["Calls", "Errors", "p50", "p95"].map((column) => (
          <span key={column} className="text-right">
            {column}
          </span>
        ))}
      </div>
      <ul aria-label="Routes" className="divide-y divide-line border-y border-line">
        {chart.routes.slice(0, SHOWN).map(({ kind, path, ...measures }) => {
          const isChosen = filter.kind === kind && filter.path === path;
          return (
            <li key={`${kind} ${path}`}>
              <button
                type="button"
                aria-pressed={isChosen}
                onClick={() => change(isChosen ? { kind: undefined, path: undefined } : { kind, path })}
                className={`w-full cursor-pointer py-1.5 text-left text-small leading-6 hover:bg-subtle focus-visible:-outline-offset-2 ${GRID} ${isChosen ? "font-medium" : ""}`}
              >
                <span translate="no" className="truncate font-mono text-ink max-sm:col-span-full">
                  <UserText>{path}</UserText>{" "}
                  <span className="font-sans text-xs text-ink-faint">{ROUTE_KIND_LABELS[kind]}</span>
                </span>
                <Measure label="Calls">{formatCount(measures.calls)}</Measure>
                <Measure label="Errors">{formatShare(measures)}</Measure>
                <Measure label="p50">{measures.p50 === null ? "–" : formatLatency(measures.p50)}</Measure>
                <Measure label="p95">{measures.p95 === null ? "–" : formatLatency(measures.p95)}</Measure>
              </button>
            </li>
          );
        })}
      </ul>
      <MoreNote count={chart.routesInAll - Math.min(SHOWN, chart.routes.length)} one="route" many="routes">
        Filter by route to see the calls of another one.
      </MoreNote>
    </div>
  );
}

function Measure({ label, children }: { label: string; children: string }) {
  return (
    <span className="text-ink-soft tabular-nums sm:text-right">
      <span className="block text-xs leading-4 text-ink-faint sm:sr-only">{label}</span>
      {children}
    </span>
  );
}
