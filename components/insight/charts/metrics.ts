/** What the charts of calls draw, and how their numbers are written. Pure. */
import type { CallChart } from "@/lib/contract/insight/call";
import type { TimeFormat } from "@/lib/domain/platform/zone";

export const METRICS = [
  { id: "calls", label: "Calls" },
  { id: "failures", label: "Error rate" },
  { id: "latency", label: "Latency: p50 · p95" },
  { id: "routes", label: "p95 by route" },
] as const;
export type Metric = (typeof METRICS)[number]["id"];

interface Counted {
  calls: number;
  failed: number;
}

/** Percent; null if there were no calls. */
function errorRate({ calls, failed }: Counted): number | null {
  return calls === 0 ? null : (failed / calls) * 100;
}

export function formatShare(counted: Counted): string {
  const rate = errorRate(counted);
  return rate === null ? "–" : formatPercent(rate);
}

/** `0%` only for none, and `100%` only for all. */
export function formatPercent(rate: number): string {
  if (Number.isInteger(rate)) return `${rate}%`;
  return rate < 0.1 ? "<0.1%" : `${Math.min(rate, 99.9).toFixed(1)}%`;
}

/** `84 ms`, `1.2 s`, `12 s`. */
export function formatLatency(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  const seconds = ms / 1_000;
  return `${seconds < 9.95 ? seconds.toFixed(1) : Math.round(seconds)} s`;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const MOMENTS = [
  { within: 5 * MINUTE_MS, stepMs: 1_000, format: "timeOfDay" },
  {
    within: 26 * HOUR_MS,
    stepMs: MINUTE_MS,
    format: "minuteOfDay",
  },
] as const;
const DAYS = { stepMs: DAY_MS, format: "date" } as const;

export type Moments = Pick<CallChart, "from" | "to">;

/** How the moments of a chart are written: hours within a day, days beyond. Those `stepMs` apart read differently. */
export function momentScale({ from, to }: Moments): {
  stepMs: number;
  format: TimeFormat;
} {
  const range = Date.parse(to) - Date.parse(from);
  return MOMENTS.find(({ within }) => range <= within) ?? DAYS;
}

// The lines and bars of a chart, and their numbers at each moment. Pure.

export interface Series {
  key: string;
  name: string;
  /** A variable of the theme. */
  color: string;
  /** Distinguishes lines without relying on color. */
  dashes?: string;
}

/** The busiest routes; more lines than these are hard to distinguish. */
const LINES = [
  { color: "var(--accent-text)" },
  { color: "var(--success)", dashes: "6 3" },
  { color: "var(--warning)", dashes: "2 3" },
  { color: "var(--danger)", dashes: "10 3 2 3" },
  { color: "var(--ink-faint)", dashes: "4 6" },
] as const;

/** `at` in milliseconds, and a number for each series; null where there is none. */
export interface Row {
  at: number;
  values: Values;
}

type Values = Record<string, number | null>;

export function drawnSeries(chart: CallChart, metric: Metric): { series: Series[]; rows: Row[] } {
  const rows = (values: (point: CallChart["points"][number], index: number) => Values) =>
    chart.points.map((point, index) => ({ at: Date.parse(point.at), values: values(point, index) }));
  switch (metric) {
    case "calls":
      return {
        series: [
          { key: "others", name: "Succeeded or in progress", color: "var(--accent-text)" },
          { key: "failed", name: "Failed", color: "var(--danger)" },
        ],
        rows: rows(({ calls, failed }) => ({ others: calls - failed, failed })),
      };
    case "failures":
      return {
        series: [{ key: "rate", name: "Error rate", color: "var(--danger)" }],
        rows: rows((point) => ({ rate: errorRate(point) })),
      };
    case "latency":
      return {
        series: [
          { key: "p95", name: "p95", ...LINES[0] },
          { key: "p50", name: "p50", ...LINES[1] },
        ],
        rows: rows(({ p50, p95 }) => ({ p50, p95 })),
      };
    case "routes": {
      const drawn = LINES.flatMap((line, index) => {
        const route = chart.routes[index];
        return route === undefined ? [] : [{ ...route, key: `${route.kind} ${route.path}`, line }];
      });
      return {
        series: drawn.map(({ key, path, line }) => ({ key, name: path, ...line })),
        rows: rows((_point, at) => Object.fromEntries(drawn.map(({ key, p95s }) => [key, p95s[at] ?? null]))),
      };
    }
  }
}
