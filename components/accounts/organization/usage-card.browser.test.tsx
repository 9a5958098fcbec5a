import { expect, test } from "vitest";
import { measureCapacity } from "@/lib/domain/platform/app-limits";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { UsageCard } from "./usage-card";

const GB = 1_000_000_000;
const GIB = 1024 ** 3;

test.each([
  ["nothing used", 0, 0, "0 MiB of 10 GiB for 0 running apps", "0 bytes of 20.0 GB used", undefined],
  ["partly used", 3, 4.2 * GB, "1.5 GiB of 10 GiB for 3 running apps", "4.2 GB of 20.0 GB used", undefined],
  ["almost full", 19, 19 * GB, "9.5 GiB of 10 GiB for 19 running apps", "19.0 GB", "Almost full"],
  ["full", 20, 20.4 * GB, "10 GiB of 10 GiB for 20 running apps", "20.4 GB", "New images are refused"],
])("usage: %s", async (state, apps, usedBytes, memory, storage, warning) => {
  const capacity = measureCapacity(
    apps,
    { memoryBytes: GIB / 2, cpus: 1 },
    { memoryBytes: 10 * GIB, cpus: 20 },
  );
  const screen = await renderPage(
    <UsageCard
      capacity={capacity}
      storage={{ usedBytes, quotaBytes: 20 * GB }}
      pictures={{ usedBytes: 0.012 * GB, quotaBytes: 0.05 * GB }}
      uploadsAtOnce={8}
    />,
  );
  await expect
    .element(screen.getByRole("meter", { name: "Memory" }))
    .toHaveAttribute("aria-valuetext", memory);
  const meter = screen.getByRole("meter", { name: "Storage" });
  await expect.element(meter).toHaveAttribute("aria-valuetext", expect.stringContaining(storage));
  await expect.element(screen.getByText("12.0 MB of 50.0 MB used")).toBeVisible();
  expect(/Almost full|refused|No more apps can start/.test(screen.container.textContent)).toBe(
    warning !== undefined,
  );
  if (warning !== undefined) await expect.element(screen.getByText(warning).first()).toBeVisible();
  await checkAppearance(`usage, ${state}`);
});
