import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { sampleHistory } from "@/tests/samples/insight";
import { HealthHistoryCard } from "./health-history-card";

const day = () => page.getByRole("slider", { name: "Health of version 1.4.0: Last 24 hours" });
const details = (text: string | RegExp) => page.getByText(text);

async function openCard() {
  await page.viewport(1440, 900);
  await renderPage(
    <HealthHistoryCard
      description="Of each version that ran in the last 30 days."
      histories={[
        { name: "version 1.4.0", isRunning: true, history: sampleHistory() },
        { name: "version 1.3.2", history: sampleHistory("UNKNOWN") },
      ]}
    />,
  );
}

test("strips of a day and a month, with what the bars mean", async () => {
  await openCard();
  for (const label of ["Up", "Degraded", "Down", "Not running", "No data"])
    await expect
      .element(page.getByRole("list", { name: "Legend" }).getByText(label, { exact: true }))
      .toBeVisible();
  await expect.element(page.getByText("97.2% healthy")).toBeVisible();
  // Guarantee: a figure of a month is not that of a few days without saying so.
  await expect.element(page.getByText(/^99\.46% healthy since .*Oct/)).toBeVisible();
  await expect.element(page.getByText("Did not run").first()).toBeVisible();
  await checkAppearance("health history");
});

// Guarantee: the keyboard and screen readers reach what the pointer shows, and nothing moves.
test("the part under the pointer or chosen by keys is described, and the page doesn't move", async () => {
  await openCard();
  const legend = page.getByRole("list", { name: "Legend" }).element();
  const before = legend.getBoundingClientRect().top;
  await userEvent.tab();
  await expect.element(day()).toHaveFocus();
  await userEvent.keyboard("{ArrowLeft}{ArrowLeft}{ArrowLeft}");
  await expect.element(day()).toHaveAttribute("aria-valuetext", expect.stringContaining("Down for 40 min"));
  await expect.element(details(/Down for 40 min, degraded for 5 min/)).toBeVisible();
  await expect.element(details("The app exited with code 1.")).toBeVisible();
  await checkAppearance("health history with a part described");
  await userEvent.keyboard("{Home}");
  await expect.element(day()).toHaveAttribute("aria-valuenow", "1");
  await userEvent.keyboard("{End}{ArrowRight}");
  await expect.element(day()).toHaveAttribute("aria-valuenow", "24");
  await userEvent.tab();
  await expect.element(details(/Down for 40 min/)).not.toBeInTheDocument();
  await userEvent.hover(day(), { position: { x: 2, y: 10 } });
  await expect.element(day()).toHaveAttribute("aria-valuenow", "1");
  await userEvent.unhover(day());
  await expect.element(day()).toHaveAttribute("aria-valuetext", "97.2% healthy");
  await page.viewport(1440, 900);
  expect(legend.getBoundingClientRect().top + scrollY - before).toBeLessThan(1);
});
