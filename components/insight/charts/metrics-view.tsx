"use client";

import { useQuery } from "@tanstack/react-query";
import { usePathname, useSearchParams } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card, Skeleton } from "@/components/ui/card";
import { lazyPart } from "@/components/ui/forms/lazy-code";
import { Segments } from "@/components/ui/forms/segments";
import { UrlSelect } from "@/components/ui/forms/select-field";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { Table, TableBody, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { useZone } from "@/components/ui/zone";
import { callApi } from "@/lib/client/api";
import type { AppMetrics } from "@/lib/contract/insight/call";
import { type MetricsFilter, readMetricsFilter, toMetricsQuery } from "@/lib/contract/insight/filters";
import { nameZone, writeTime } from "@/lib/domain/platform/zone";
import { describeCharts, type DescribedChart } from "./describe-charts";
import { type Moments } from "./metrics";

interface RunVersion {
  number: string;
  isRunning: boolean;
}

interface MetricsViewProps {
  listingId: string;
  /** Those that ran in the last month; the first is shown if the URL names none. */
  versions: readonly RunVersion[];
  /** As the server read them with the page. */
  first?: { filter: MetricsFilter; metrics: AppMetrics };
}

const RANGES = [
  { value: "1h", text: "1 hour" },
  { value: "24h", text: "24 hours" },
  { value: "7d", text: "7 days" },
  { value: "30d", text: "30 days" },
] as const;

const TITLES = ["CPU", "Memory", "Requests", "Latency", "Restarts"];
const REFRESH_MS = 30_000;

/** Charts of one version of an app. Version and range are in the URL. */
export function MetricsView({ listingId, versions, first }: MetricsViewProps) {
  const pathname = usePathname();
  const filter = readMetricsFilter(Object.fromEntries(useSearchParams()));
  const query = toMetricsQuery(filter);
  const show = (changed: Partial<MetricsFilter>) =>
    window.history.pushState(null, "", pathname + toMetricsQuery({ ...filter, ...changed }));
  const isFirst = first !== undefined && toMetricsQuery(first.filter) === query;
  const { data: metrics, error } = useQuery({
    queryKey: ["metrics", listingId, query],
    queryFn: ({ signal }) =>
      callApi("GET", `/api/listings/${listingId}/metrics${query}`, {
        answer: async () => (await import("@/lib/contract/insight/call")).appMetrics,
        signal,
      }),
    initialData: isFirst ? first.metrics : undefined,
    initialDataUpdatedAt: isFirst ? Date.parse(first.metrics.to) : undefined,
    placeholderData: (before) => before,
    refetchInterval: REFRESH_MS,
  });
  const [newest, ...others] = versions;
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <UrlSelect
          label="Version"
          any={newest === undefined ? "None" : describeVersion(newest)}
          options={others.map((version) => ({ value: version.number, text: describeVersion(version) }))}
          value={filter.version === newest?.number ? undefined : filter.version}
          onChange={(version) => show({ version })}
          className="w-full sm:w-60"
        />
        <Segments
          label="Time range"
          options={RANGES}
          value={filter.last}
          onChange={(last) => show({ last })}
        />
      </div>
      <ProblemNotice error={error} />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        {metrics === undefined
          ? error === null && TITLES.map((title) => <MetricSkeleton key={title} title={title} />)
          : describeCharts(metrics).map((chart) => (
              <MetricCard key={chart.title} chart={chart} range={metrics} />
            ))}
      </div>
    </div>
  );
}

function describeVersion({ number, isRunning }: RunVersion): string {
  return isRunning ? `${number} (running)` : number;
}

/** The chart library is loaded when there is something to draw. */
const SeriesChart = lazyPart(
  () => import("./series-chart").then((module) => module.SeriesChart),
  <Skeleton className="h-44 w-full sm:h-56" />,
);

/** As high as a chart, so that nothing moves when it is loaded or when another range has nothing to draw. */
const BOX = "h-44 sm:h-56";

/** The last of an odd number has both columns. */
const WIDE = "lg:last:odd:col-span-2";

interface MetricCardProps {
  chart: DescribedChart;
  range: Moments & { bucketMs: number };
}

/** One metric over time, as a chart or a table. */
function MetricCard({ chart, range }: MetricCardProps) {
  const [isTable, setTable] = useState(false);
  const { title, description, summary, empty, series, rows } = chart;
  return (
    <Card
      title={title}
      className={WIDE}
      actions={
        <Button
          size="small"
          aria-label={`${title}: show ${isTable ? "chart" : "table"}`}
          isDisabled={summary === undefined}
          onPress={() => setTable((was) => !was)}
        >
          {isTable ? "Show chart" : "Show table"}
        </Button>
      }
    >
      <p className="text-lg leading-6 font-semibold text-ink tabular-nums">{summary ?? "None"}</p>
      <p className="mb-4 text-small leading-5 text-ink-faint">{description}</p>
      {summary === undefined ? (
        <p className={`flex items-center justify-center text-center text-ink-soft ${BOX}`}>{empty}</p>
      ) : isTable ? (
        <MetricTable chart={chart} />
      ) : (
        <figure aria-label={`${title} over time: ${summary}`}>
          <SeriesChart
            range={range}
            bucketMs={range.bucketMs}
            series={series}
            rows={rows}
            isStacked={chart.isStacked}
            smallest={chart.smallest}
            format={chart.format}
          />
        </figure>
      )}
    </Card>
  );
}

/** The chart's numbers, newest first, without the times that have none. */
function MetricTable({ chart: { title, series, rows, isStacked, format } }: { chart: DescribedChart }) {
  const zone = useZone();
  const columns = series.filter(({ key }) => key !== "limit");
  const shown = rows.filter(({ values }) =>
    columns.some(({ key }) => (isStacked ? (values[key] ?? 0) > 0 : (values[key] ?? null) !== null)),
  );
  return (
    <div className={`overflow-y-auto rounded-field border border-line ${BOX}`}>
      <Table label={`${title} over time`}>
        <TableHead columns={[`From (${nameZone(zone)})`, ...columns.map(({ name }) => name)]} />
        <TableBody>
          {shown.toReversed().map(({ at, values }) => (
            <TableRow key={at}>
              <TableCell>{writeTime(at, "moment", zone)}</TableCell>
              {columns.map(({ key, name }) => {
                const value = values[key] ?? null;
                return (
                  <TableCell key={key} label={name} className="tabular-nums">
                    {value === null ? "–" : format(value)}
                  </TableCell>
                );
              })}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </div>
  );
}

/** In place of a card while its numbers are loaded. */
function MetricSkeleton({ title }: { title: string }) {
  return (
    <Card title={title} className={WIDE} actions={<Skeleton className="h-7 w-24" />}>
      <Skeleton className="h-6 w-40" />
      <Skeleton className="mt-1 mb-4 h-4 w-60 max-w-full" />
      <Skeleton className={`w-full ${BOX}`} />
    </Card>
  );
}
