import { expect, test } from "vitest";
import { Card } from "@/components/ui/card";
import { measureCapacity } from "@/lib/domain/platform/app-limits";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { UsageTable } from "./usage-table";

const GB = 1_000_000_000;
const GIB = 1024 ** 3;

test("organizations with what they use of each quota", async () => {
  const row = (id: string, name: string, apps: number, usedBytes: number) => ({
    ...{ id, name, slug: id, storage: { usedBytes, quotaBytes: 20 * GB } },
    capacity: measureCapacity(apps, { memoryBytes: GIB / 2, cpus: 1 }, { memoryBytes: 10 * GIB, cpus: 20 }),
  });
  const organizations = [
    row("acme", "Acme Apps", 20, 19.6 * GB),
    row("harbor-mutual-insurance-group", "Harbor Mutual Insurance Group of the Northern Coast", 3, 1.2 * GB),
    row("alpine", "Alpine Insurance", 0, 0),
  ];
  const screen = await renderPage(
    <Card flush>
      <UsageTable organizations={organizations} />
    </Card>,
  );
  await expect.element(screen.getByText("10 GiB of 10 GiB")).toBeVisible();
  await expect.element(screen.getByText("3 of 20 cores")).toBeVisible();
  const first = screen.getByRole("meter", { name: "Storage" }).first();
  await expect.element(first).toHaveAttribute("aria-valuetext", "19.6 GB of 20.0 GB");
  await checkAppearance("usage by organization");
});
