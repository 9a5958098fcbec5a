import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { Card } from "@/components/ui/card";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { type InstallationRow, InstallationRows } from "./installation-rows";

const id = (number: number) => `6f1b2c34-0000-4000-8000-00000000000${number}`;
const VERSION_ID = id(9);

function row(number: number, changes: Partial<InstallationRow> = {}): InstallationRow {
  return {
    id: id(number),
    state: "RUNNING",
    health: { status: "RUNNING", problems: [] },
    test: false,
    title: `App ${number}`,
    publisherSlug: "acme",
    appName: `app-${number}`,
    tenantName: "Production",
    tenantHostName: "harbor.core.example",
    tenantSandbox: false,
    trialEndsAt: null,
    number: "1.0.0",
    upgradeTo: "2.0.0",
    createdAt: new Date("2026-11-20T10:00:00Z"),
    ...changes,
  };
}

const show = (installations: InstallationRow[], role: "owner" | "publisher" = "owner") =>
  renderPage(
    <Card flush>
      <InstallationRows installations={installations} role={role} />
    </Card>,
    {
      path: "/installations",
      answers: {
        [`GET /api/installations/${id(1)}/upgrade`]: {
          ready: { versionId: VERSION_ID, revision: 3, to: "2.0.0" },
          why: null,
        },
        [`GET /api/installations/${id(2)}/upgrade`]: {
          ready: null,
          why: "It asks for 1 answer. Open its upgrade page.",
        },
        [`GET /api/installations/${id(3)}/upgrade`]: {
          ready: { versionId: VERSION_ID, revision: 1, to: "2.0.0" },
          why: null,
        },
        [`POST /api/installations/${id(1)}/upgrade`]: { upgradeId: VERSION_ID },
        [`POST /api/installations/${id(3)}/upgrade`]: Response.json(
          { code: "WRONG_STATE", detail: "An upgrade is already in progress." },
          { status: 409 },
        ),
      },
    },
  );

// Guarantee: nothing is upgraded before the number was confirmed, nothing is left out silently, and each result is shown.
test("several installations are upgraded together", async () => {
  await show([row(1), row(2), row(3), row(4, { upgradeTo: null })]);
  await page
    .getByRole("checkbox", { name: "Select all with an upgrade on this page" })
    .click({ force: true });
  await expect.element(page.getByText("3 selected")).toBeVisible();
  await checkAppearance("installations, selected");
  await page.getByRole("button", { name: "Upgrade selected" }).click();
  const dialog = page.getByRole("dialog", { name: "Upgrade 2 installations?" });
  await expect.element(dialog).toBeVisible();
  await expect
    .element(dialog.getByText("Left out. It asks for 1 answer. Open its upgrade page."))
    .toBeVisible();
  await expect
    .element(dialog.getByRole("link", { name: "App 2 for Production" }))
    .toHaveAttribute("href", `/installations/${id(2)}/upgrade`);
  await checkAppearance("upgrade several, asked");
  expect(sent("POST")).toEqual([]);
  await dialog.getByRole("button", { name: "Upgrade 2 installations" }).click();
  const result = page.getByRole("dialog", { name: "1 done, 1 failed" });
  await expect.element(result.getByText("The upgrade to 2.0.0 has started.")).toBeVisible();
  await expect.element(result.getByText("An upgrade is already in progress.")).toBeVisible();
  await checkAppearance("upgrade several, results");
  expect(sent("POST")).toEqual([
    {
      path: `/api/installations/${id(1)}/upgrade`,
      body: { versionId: VERSION_ID, revision: 3, settings: {}, mappings: {} },
    },
    {
      path: `/api/installations/${id(3)}/upgrade`,
      body: { versionId: VERSION_ID, revision: 1, settings: {}, mappings: {} },
    },
  ]);
  await result.getByRole("button", { name: "Done" }).click();
  await expect.element(page.getByText("Select all with an upgrade on this page")).toBeVisible();
});

test("nothing can be selected where at most one installation can be upgraded", async () => {
  await show([row(1), row(2, { upgradeTo: null })]);
  await expect.element(page.getByText("Upgrade available: 2.0.0")).toBeVisible();
  expect(page.getByRole("checkbox").elements()).toEqual([]);
});

test("a publisher selects Test Launches only", async () => {
  await show([row(1, { test: true }), row(2, { test: true }), row(3)], "publisher");
  expect(page.getByRole("checkbox", { name: /^Select App/ }).elements()).toHaveLength(2);
});

function sent(method: string) {
  return vi
    .mocked(fetch)
    .mock.calls.flatMap(([path, init]) =>
      init?.method === method ? [{ path, body: JSON.parse(String(init.body)) }] : [],
    );
}
