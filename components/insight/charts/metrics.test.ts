import { expect, test } from "vitest";
import { sampleCallChart } from "@/tests/samples/calls";
import { drawnSeries, formatLatency, formatPercent, formatShare } from "./metrics";

test.each([
  [0.4, "0 ms"],
  [999.4, "999 ms"],
  [999.6, "1.0 s"],
  [9_949, "9.9 s"],
  [9_951, "10 s"],
  [30_000, "30 s"],
])("%d ms is written as %s", (ms, text) => expect(formatLatency(ms)).toBe(text));

// Guarantee: a rounded number never claims that nothing or everything failed.
test("error rates", () => {
  expect([0, 100, 0.01, 99.99, 33.333].map(formatPercent)).toEqual(["0%", "100%", "<0.1%", "99.9%", "33.3%"]);
  expect(formatShare({ calls: 0, failed: 0 })).toBe("–");
});

test("routes are lines that differ without their color, with gaps where nothing was called", () => {
  const chart = sampleCallChart();
  const { series, rows } = drawnSeries(chart, "routes");
  expect(series.map(({ name }) => name)).toEqual(["/autofill", "/events", "/rate"]);
  expect(new Set(series.map(({ dashes }) => dashes)).size).toBe(3);
  expect(rows[3]?.values["autofill /autofill"]).toBeNull();
  expect(rows).toHaveLength(chart.points.length);
});
