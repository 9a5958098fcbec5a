import type { ReactNode } from "react";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { AppFrame } from "@/components/catalog/listings/app-frame";
import { NO_CALLS, toCallsOfDay } from "@/lib/domain/insight/calls-of-day";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { AppUseCard, CustomersTable } from "./app-use";

const DAY = toCallsOfDay(
  Array.from({ length: 24 }, (_, ago) => ({ ago, calls: 400 + ago * 20, failed: ago === 3 ? 90 : 0 })),
);
const listing = {
  title: "Telematics rating",
  appName: "rater",
  organizationSlug: "acme",
  state: "PUBLIC",
  visibility: "LINK",
} as const;

const open = (content: ReactNode, path: string) =>
  renderPage(
    <AppFrame listing={listing} hasVersion>
      {content}
    </AppFrame>,
    { path },
  );

// Guarantee: who uses an app, in which version, and whether it works, is on the first page about it.
test("an app in use, by version", async () => {
  await open(
    <AppUseCard
      path="/publish/rater"
      customers={{ installations: 14, organizations: 5 }}
      inUse={{
        versions: [
          { number: "2.1.0", installations: 12, day: DAY },
          { number: "2.0.0", installations: 1, day: NO_CALLS },
        ],
        more: 1,
      }}
    />,
    "/publish/rater",
  );
  await expect.element(page.getByRole("link", { name: "Overview" })).toHaveAttribute("aria-current", "page");
  await expect.element(page.getByText(/^14 installations of 5 customers\./)).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "12 installations of version 2.1.0" }))
    .toHaveAttribute("href", "/publish/rater/customers?q=2.1.0");
  await expect.element(page.getByText("1 older version is in use as well.")).toBeVisible();
  await checkAppearance("app overview, in use");
});

test("an app that nobody uses", async () => {
  await open(
    <AppUseCard
      path="/publish/rater"
      customers={{ installations: 0, organizations: 0 }}
      inUse={{ versions: [], more: 0 }}
    />,
    "/publish/rater",
  );
  await expect.element(page.getByText(/^No other organization uses this app yet/)).toBeVisible();
  await checkAppearance("app overview, no customers");
});

// Guarantee: on a phone, the open tab is in view.
test("customers, with the open tab in view", async () => {
  await page.viewport(390, 900);
  const row = { number: "2.1.0", createdAt: new Date("2026-11-20T10:00:00Z"), day: DAY };
  await open(
    <CustomersTable
      customers={[
        { ...row, id: "019ab000-0000-7000-8000-00000003f2a1", status: "DEGRADED" },
        { ...row, id: "019ab000-0000-7000-8000-00000003f2a2", status: "RUNNING", day: NO_CALLS },
      ]}
    />,
    "/publish/rater/settings",
  );
  const tab = () => page.getByRole("link", { name: "Settings" }).element().getBoundingClientRect();
  // The row scrolls once its size is known.
  await expect.poll(() => tab().left >= 0 && tab().right <= 390).toBe(true);
  await expect.element(page.getByText("90 failed")).toBeVisible();
  await checkAppearance("app customers");
});
