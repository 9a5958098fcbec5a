import { expect, test } from "vitest";
import { emptyMetrics, sampleMetrics } from "@/tests/samples/insight";
import { describeCharts, formatCpu, formatMemory } from "./describe-charts";

test("numbers are written with their units", () => {
  expect([0, 0.04, 0.44, 9.96, 12.4, 104.6].map(formatCpu)).toEqual([
    "0%",
    "<0.1%",
    "0.4%",
    "10%",
    "12%",
    "105%",
  ]);
  const mebibytes = [0.5, 9.94, 10, 511.6].map((size) => formatMemory(size * 1024 * 1024));
  expect(mebibytes).toEqual(["0.5 MiB", "9.9 MiB", "10 MiB", "512 MiB"]);
});

// Guarantee: a time in which nothing was measured is a gap, never a zero.
test("each metric has a line per number, gaps, and its limit", () => {
  const charts = describeCharts(sampleMetrics());
  expect(charts.map(({ title, summary }) => [title, summary])).toEqual([
    ["CPU", "12% average, 46% peak"],
    ["Memory", "108 MiB average, 154 MiB peak"],
    ["Requests", "1,920 in total, 1.6% failed"],
    ["Latency", "p50 28 ms, p95 142 ms"],
    ["Restarts", "4 in total"],
  ]);
  const [cpu] = charts;
  expect(cpu?.series.map(({ name }) => name)).toEqual(["Average", "Peak", "Limit"]);
  expect(new Set(cpu?.series.map(({ dashes }) => dashes)).size).toBe(3);
  expect(cpu?.rows[14]?.values).toEqual({ cpu: null, peakCpu: null, limit: 100 });
});

test("without numbers there is nothing to draw, and without a limit no line", () => {
  const charts = describeCharts(emptyMetrics());
  expect(charts.map(({ summary }) => summary)).toEqual(Array(5).fill(undefined));
  expect(charts[0]?.series).toHaveLength(2);
});
