import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { ZoneProvider } from "@/components/ui/zone";
import { sampleCallChart } from "@/tests/samples/calls";
import type { Metric } from "../charts/metrics";
import { TimeChart } from "./time-chart";

async function openChart(metric: Metric = "calls", chart = sampleCallChart()) {
  const onSelect = vi.fn();
  await page.viewport(1440, 900);
  await renderPage(<TimeChart chart={chart} metric={metric} onSelect={onSelect} />);
  await expect.poll(() => countPixels("--line")).toBeGreaterThan(100);
  return onSelect;
}

const canvas = () => document.querySelector("canvas") ?? expect.fail("There is no chart.");

/** How much of the chart has exactly this color of the theme. */
function countPixels(variable: string): number {
  const { width, height } = canvas();
  const context = canvas().getContext("2d") ?? expect.fail("The canvas can't be read.");
  const color = getComputedStyle(document.documentElement).getPropertyValue(variable);
  const wanted = [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
  const { data } = context.getImageData(0, 0, width, height);
  let count = 0;
  for (let at = 0; at < data.length; at += 4)
    if (wanted.every((channel, index) => data[at + index] === channel) && data[at + 3] === 255) count += 1;
  return count;
}

/** A point of the plot, as shares of its width and height. */
function pointAt(across: number, down = 0.5) {
  const { left, top, width, height } = plot().getBoundingClientRect();
  return { clientX: left + width * across, clientY: top + height * down, bubbles: true, movementX: 1 };
}
const plot = () => document.querySelector(".u-over") ?? expect.fail("There is no chart.");
const move = (across: number) => plot().dispatchEvent(new MouseEvent("mousemove", pointAt(across)));

test("calls are bars, the failed ones in their own color, and the colors follow the theme", async () => {
  await openChart();
  expect(countPixels("--accent-text")).toBeGreaterThan(5_000);
  expect(countPixels("--danger")).toBeGreaterThan(100);
  document.documentElement.classList.add("dark");
  await expect.poll(() => countPixels("--accent-text")).toBeGreaterThan(5_000);
  document.documentElement.classList.remove("dark");
  await expect.poll(() => countPixels("--danger")).toBeGreaterThan(100);
});

test.each(["calls", "failures", "latency", "routes"] as const)("the chart of %s", async (metric) => {
  await openChart(metric);
  await checkAppearance(`chart of ${metric}`);
  move(0.8);
  await expect.element(page.getByText(/^Nov 20|^Nov 21/)).toBeVisible();
});

test("the zone of its times is named", async () => {
  const personal = { zone: "Asia/Tokyo", chosen: true };
  await renderPage(
    <ZoneProvider personal={personal}>
      <TimeChart chart={sampleCallChart()} metric="calls" onSelect={vi.fn()} />
    </ZoneProvider>,
  );
  await expect.element(page.getByText(/Times are in Asia\/Tokyo, UTC\+9\./)).toBeVisible();
});

test("the numbers under the pointer are read out, and go with it", async () => {
  await openChart();
  move(38.5 / 48);
  const moment = new Date("2026-11-20T19:00:00.000Z").toLocaleString("en-US", {
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    second: "2-digit",
  });
  await expect.element(page.getByText(moment)).toBeVisible();
  const { calls = 0, failed = 0 } = sampleCallChart().points[38] ?? {};
  await expect.element(page.getByText(`Failed${failed}`, { exact: true })).toBeInTheDocument();
  await expect.element(page.getByText(`Succeeded or in progress${calls - failed}`)).toBeInTheDocument();
  plot().dispatchEvent(new MouseEvent("mouseleave", pointAt(0.5)));
  await expect.element(page.getByText(moment)).not.toBeInTheDocument();
});

test("dragging selects whole buckets, and a click selects nothing", async () => {
  const onSelect = await openChart();
  const drag = (from: number, to: number) => {
    move(from);
    plot().dispatchEvent(new MouseEvent("mousedown", pointAt(from)));
    move(to);
    document.dispatchEvent(new MouseEvent("mouseup", pointAt(to)));
  };
  drag(0.5, 0.5);
  expect(onSelect).not.toHaveBeenCalled();
  drag(20.9 / 48, 10.1 / 48);
  expect(onSelect).toHaveBeenCalledExactlyOnceWith(
    Date.parse("2026-11-20T05:00:00.000Z"),
    Date.parse("2026-11-20T10:30:00.000Z"),
  );
});

test("the chart is as wide as its place, and keeps its canvas when new numbers arrive", async () => {
  const chart = sampleCallChart();
  await page.viewport(1440, 900);
  const { rerender } = await renderPage(null);
  await rerender(<TimeChart chart={chart} metric="calls" onSelect={vi.fn()} />);
  await expect.poll(() => canvas().clientWidth).toBeGreaterThan(800);
  const before = canvas();
  const bars = countPixels("--accent-text");
  const busier = chart.points.map((point) => ({ ...point, calls: point.calls + 500, failed: 0 }));
  await rerender(<TimeChart chart={{ ...chart, points: busier }} metric="calls" onSelect={vi.fn()} />);
  await expect.poll(() => countPixels("--accent-text")).toBeGreaterThan(bars);
  expect(canvas()).toBe(before);
  await page.viewport(390, 900);
  await expect.poll(() => canvas().clientWidth).toBeLessThan(390);
});

test("one bucket, and numbers with gaps", async () => {
  const chart = sampleCallChart();
  const [point] = chart.points;
  if (point === undefined) throw new Error("The chart has points.");
  await openChart("calls", { ...chart, points: [point] });
  expect(countPixels("--accent-text")).toBeGreaterThan(5_000);
});
