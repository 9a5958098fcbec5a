"use client";

import { useQuery } from "@tanstack/react-query";
import { usePathname, useSearchParams } from "next/navigation";
import { Segments } from "@/components/ui/choices";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { UrlSelect } from "@/components/ui/url-select";
import { callApi } from "@/lib/client/api";
import type { AppMetrics } from "@/lib/contract/app-metrics";
import { type MetricsFilter, readMetricsFilter, toMetricsQuery } from "@/lib/contract/metrics-filter";
import { describeCharts } from "./describe-charts";
import { MetricCard, MetricSkeleton } from "./metric-card";

export interface RunVersion {
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
        answer: async () => (await import("@/lib/contract/app-metrics")).appMetrics,
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
