/** What the charts of an app draw, and how their numbers are written. Pure. */
import type { AppMetrics } from "@/lib/contract/insight/call";
import { formatCount } from "@/lib/domain/platform/text";
import { drawnSeries, formatLatency, formatPercent, formatShare, type Row, type Series } from "./metrics";

export interface DescribedChart {
  title: string;
  description: string;
  /** The whole range in one line; undefined if there is nothing to draw. */
  summary: string | undefined;
  /** The text to show when there is nothing to draw. */
  empty: string;
  series: readonly Series[];
  rows: readonly Row[];
  isStacked: boolean;
  /** The smallest difference that `format` shows. */
  smallest: number;
  format: (value: number) => string;
}

const AVERAGE = { name: "Average", color: "var(--accent-text)" };
const PEAK = { name: "Peak", color: "var(--success)", dashes: "6 3" };
const LIMIT = { key: "limit", name: "Limit", color: "var(--danger)", dashes: "10 3 2 3" };

const MEBIBYTE = 1024 * 1024;
const NOT_MEASURED = "Nothing was measured in this time range.";

export function describeCharts(metrics: AppMetrics): DescribedChart[] {
  return [
    describeCpu(metrics),
    describeMemory(metrics),
    ...describeCalls(metrics.calls),
    describeRestarts(metrics),
  ];
}

function describeCpu({ points, total, limits }: AppMetrics): DescribedChart {
  return {
    title: "CPU",
    description: "How much of one core each instance uses.",
    summary: joinMeasured(total.cpu, total.peakCpu, formatCpu),
    empty: NOT_MEASURED,
    series: withLimit(
      [
        { key: "cpu", ...AVERAGE },
        { key: "peakCpu", ...PEAK },
      ],
      limits.cpu,
    ),
    rows: points.map(({ at, cpu, peakCpu }) => toRow(at, { cpu, peakCpu, limit: limits.cpu })),
    isStacked: false,
    smallest: 1,
    format: formatCpu,
  };
}

function describeMemory({ points, total, limits }: AppMetrics): DescribedChart {
  const keys = [
    { key: "memoryBytes", ...AVERAGE },
    { key: "peakMemoryBytes", ...PEAK },
  ];
  return {
    title: "Memory",
    description: "How much each instance uses, without caches.",
    summary: joinMeasured(total.memoryBytes, total.peakMemoryBytes, formatMemory),
    empty: NOT_MEASURED,
    series: withLimit(keys, limits.memoryBytes),
    rows: points.map(({ at, memoryBytes, peakMemoryBytes }) =>
      toRow(at, { memoryBytes, peakMemoryBytes, limit: limits.memoryBytes }),
    ),
    isStacked: false,
    smallest: MEBIBYTE,
    format: formatMemory,
  };
}

function describeRestarts({ points, total: { restarts } }: AppMetrics): DescribedChart {
  return {
    title: "Restarts",
    description: "How often an instance failed or ended unexpectedly.",
    summary: restarts === 0 ? undefined : `${formatCount(restarts)} in total`,
    empty: "No restarts in this time range.",
    series: [{ key: "restarts", name: "Restarts", color: "var(--warning)" }],
    rows: points.map(({ at, restarts: count }) => toRow(at, { restarts: count })),
    isStacked: true,
    smallest: 1,
    format: (value) => formatCount(value),
  };
}

function describeCalls(calls: AppMetrics["calls"]): DescribedChart[] {
  const { total } = calls;
  const empty = "No requests in this time range.";
  const hasLatency = total.p50 !== null && total.p95 !== null;
  return [
    {
      title: "Requests",
      description:
        "All installations of this version together, with your own and Test Launches. Home and Overview leave these out.",
      summary:
        total.calls === 0 ? undefined : `${formatCount(total.calls)} in total, ${formatShare(total)} failed`,
      empty,
      ...drawnSeries(calls, "calls"),
      isStacked: true,
      smallest: 1,
      format: (value) => formatCount(value),
    },
    {
      title: "Latency",
      description: "From the request that the app receives to its response.",
      summary: hasLatency
        ? `p50 ${formatLatency(total.p50 ?? 0)}, p95 ${formatLatency(total.p95 ?? 0)}`
        : undefined,
      empty,
      ...drawnSeries(calls, "latency"),
      isStacked: false,
      smallest: 1,
      format: formatLatency,
    },
  ];
}

const toRow = (at: string, values: Row["values"]): Row => ({ at: Date.parse(at), values });

function withLimit(series: Series[], limit: number | null): Series[] {
  return limit === null ? series : [...series, LIMIT];
}

/** A peak needs two samples, an average of the memory one. */
function joinMeasured(
  average: number | null,
  peak: number | null,
  format: (value: number) => string,
): string | undefined {
  if (average === null) return undefined;
  return peak === null ? `${format(average)} average` : `${format(average)} average, ${format(peak)} peak`;
}

/** `0.4%`, `12%`: tenths only where they matter. */
export function formatCpu(percent: number): string {
  return percent >= 9.95 ? `${Math.round(percent)}%` : formatPercent(percent);
}

export function formatMemory(bytes: number): string {
  const mebibytes = bytes / MEBIBYTE;
  return `${mebibytes < 9.95 ? Math.round(mebibytes * 10) / 10 : Math.round(mebibytes)} MiB`;
}
