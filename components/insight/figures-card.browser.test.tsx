import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { FiguresCard } from "./figures-card";

test("figures are shown as far as there are enough calls, and say what they are of", async () => {
  const { rerender } = await renderPage(
    <FiguresCard
      figures={{ calls: { medianMs: 1_240, failedShare: 0.0042 }, days: { healthy: 88, all: 90 } }}
      usedBy={7}
    />,
  );
  for (const shown of ["1,240 ms", "0.4%", "88 of 90", "7 organizations"])
    await expect.element(page.getByText(shown, { exact: true })).toBeVisible();
  await checkAppearance("listing figures");
  await rerender(
    <main id="main">
      <FiguresCard figures={{ calls: null, days: null }} usedBy={0} />
    </main>,
  );
  await expect.element(page.getByText(/once customers have made 100 calls/)).toBeVisible();
  await expect.element(page.getByText("Used by")).not.toBeInTheDocument();
  await checkAppearance("listing figures, few calls");
});
