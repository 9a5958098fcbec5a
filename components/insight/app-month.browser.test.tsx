import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { AppMonth } from "./app-month";

const days = Array.from({ length: 30 }, (_, index) => `2026-11-${String(index + 1).padStart(2, "0")}`);
const line = (name: string, from: number, to: number) => ({
  name,
  counts: days.map((_, day) => Math.round(from + ((to - from) * day) / 29)),
});

// Guarantee: a publisher sees whether an app is found, launched and kept, and why not.
test("a month of an app in use", async () => {
  await renderPage(
    <AppMonth
      funnel={{ views: 1_204, started: 61, finished: 14 }}
      installations={{
        days,
        lines: [line("2.1.0", 0, 12), line("2.0.0", 14, 3), line("1.9.0", 6, 1), line("Others", 5, 4)],
      }}
      calls={[
        { number: "2.1.0", calls: 120_400, failed: 12 },
        { number: "2.0.0", calls: 4_020, failed: 402 },
        { number: "1.9.0", calls: 12, failed: 0 },
      ]}
      answers={[
        {
          reason: "missing-feature",
          count: 3,
          comments: [{ text: "It reads no trailers.", number: "2.0.0", at: "2026-11-20T10:00:00.000Z" }],
          moreComments: 0,
        },
        { reason: "trial", count: 51, comments: [], moreComments: 1 },
      ]}
    />,
  );
  await expect.element(page.getByRole("figure", { name: "Installations by version: 20 now" })).toBeVisible();
  await expect.element(page.getByText("2.1.0: 12")).toBeVisible();
  await expect.element(page.getByText("12 (under 0.1%)")).toBeVisible();
  await expect.element(page.getByText("402 (10%)")).toBeVisible();
  await expect.element(page.getByText("It reads no trailers.")).toBeVisible();
  await expect.element(page.getByText("1 more comment is not shown.")).toBeVisible();
  await checkAppearance("app metrics, a month");
});

test("a month without anything", async () => {
  await renderPage(
    <AppMonth
      funnel={{ views: 0, started: 0, finished: 0 }}
      installations={{ days, lines: [] }}
      calls={[]}
      answers={[]}
    />,
  );
  await expect.element(page.getByText("None in this period").first()).toBeVisible();
  await expect.element(page.getByText("Why customers uninstalled it")).not.toBeInTheDocument();
  await checkAppearance("app metrics, an empty month");
});
