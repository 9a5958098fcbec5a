import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { emptyMetrics, sampleMetrics } from "@/tests/samples/insight";
import { MetricsView } from "./metrics-view";

const VERSIONS = [
  { number: "1.4.0", isRunning: true },
  { number: "1.3.2", isRunning: false },
];
const API = "GET /api/listings/1/metrics";

async function openMetrics(answers: Record<string, unknown>, path = "/publish/vin-lookup/metrics") {
  await page.viewport(1440, 900);
  await renderPage(<MetricsView listingId="1" versions={VERSIONS} />, { path, answers });
}

const drawn = () => document.querySelectorAll("canvas").length;

test("the charts of a version", async () => {
  await openMetrics({ [API]: sampleMetrics() });
  await expect.poll(drawn).toBe(5);
  await expect.element(page.getByText("12% average, 46% peak")).toBeVisible();
  await expect.element(page.getByText("1.4.0 (running)")).toBeVisible();
  await checkAppearance("metrics");
});

test("each chart is a table too, without the gaps", async () => {
  await openMetrics({ [API]: sampleMetrics() });
  await page.getByRole("button", { name: "Memory: show table" }).click();
  const table = page.getByRole("table", { name: "Memory over time" });
  await expect.element(table).toBeVisible();
  expect(table.getByRole("row").elements()).toHaveLength(48 - 6 + 1);
  await checkAppearance("metrics as a table");
  await page.getByRole("button", { name: "Memory: show chart" }).click();
  await expect.poll(drawn).toBe(5);
});

// Guarantee: what is shown is in the URL, and the page doesn't move while it changes.
test("version and range are in the URL, and the charts keep their places", async () => {
  const half = { ...sampleMetrics(), total: { ...sampleMetrics().total, restarts: 2 } };
  await openMetrics({
    [API]: sampleMetrics(),
    [`${API}?last=7d`]: half,
    [`${API}?version=1.3.2&last=7d`]: emptyMetrics(),
  });
  await expect.poll(drawn).toBe(5);
  const top = () =>
    page.getByRole("heading", { name: "Latency" }).element().getBoundingClientRect().top + scrollY;
  const before = top();
  await page.getByRole("radio", { name: "7 days" }).click();
  await expect.element(page.getByText("2 in total", { exact: true })).toBeVisible();
  expect(location.search).toBe("?last=7d");
  await page.getByRole("button", { name: /Version/ }).click();
  await page.getByRole("option", { name: "1.3.2" }).click();
  await expect.element(page.getByText("Nothing was measured in this time range.").first()).toBeVisible();
  expect(location.search).toBe("?version=1.3.2&last=7d");
  expect(Math.abs(top() - before)).toBeLessThan(1);
  await userEvent.keyboard("{Escape}");
  await checkAppearance("metrics without numbers");
});

test("while it loads, and when it can't be loaded", async () => {
  const response = { code: "NOT_FOUND", detail: "This version was not found.", status: 404 };
  await openMetrics({ [API]: Response.json(response, { status: 404 }) });
  await expect.element(page.getByText("This version was not found.")).toBeVisible();
  await checkAppearance("metrics that can't be loaded");
});
