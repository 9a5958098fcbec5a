/** The lines and bars of a chart, and their numbers at each moment. Pure. */
import type { CallChart } from "@/lib/contract/call-log";
import { errorRate, type Metric } from "./metrics";

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
