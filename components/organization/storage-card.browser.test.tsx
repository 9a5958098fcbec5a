import { expect, test } from "vitest";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { StorageCard } from "./storage-card";

const GB = 1_000_000_000;

test.each([
  ["nothing stored", 0, "0 bytes of 20.0 GB used", undefined],
  ["partly used", 4.2 * GB, "4.2 GB of 20.0 GB used", undefined],
  ["almost full", 19 * GB, "19.0 GB of 20.0 GB used", "will soon be refused"],
  ["full", 20.4 * GB, "20.4 GB of 20.0 GB used", "New images are refused"],
])("storage: %s", async (state, usedBytes, used, warning) => {
  const screen = await renderPage(<StorageCard usedBytes={usedBytes} quotaBytes={20 * GB} />);
  await expect
    .element(screen.getByRole("meter", { name: "Storage" }))
    .toHaveAttribute("aria-valuetext", used);
  await expect.element(screen.getByText(used)).toBeVisible();
  expect(screen.container.textContent.includes("refused")).toBe(warning !== undefined);
  if (warning !== undefined) await expect.element(screen.getByText(warning)).toBeVisible();
  await checkAppearance(`storage, ${state}`);
});
