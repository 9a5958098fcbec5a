import { expect, test } from "vitest";
import { page } from "vitest/browser";
import type { InstallationView } from "@/lib/contract/installation-view";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { sampleInstallation } from "@/tests/sample-installation";
import { InstallationPage } from "./installation-page";

const at = "2026-11-20T10:00:00.000Z";
const next = { versionId: "6f1b2c34-0000-4000-8000-000000000011", number: "1.1.0", publishedAt: at };
const upgrade = {
  id: "6f1b2c34-0000-4000-8000-000000000020",
  from: "1.0.0",
  to: "1.1.0",
  rollback: false,
  reason: null,
  startedAt: at,
  startedBy: "Maya",
  endedAt: null,
  retryable: false,
};
const failed = {
  ...upgrade,
  state: "FAILED",
  reason: "The app exited with code 3 before GET /health answered 200.",
  endedAt: at,
  retryable: true,
} as const;

const STATES: [string, Partial<InstallationView>][] = [
  ["running", {}],
  ["launching", { state: "LAUNCHING", instance: null }],
  ["failed", { state: "ERROR", reason: "The start hook answered 500. The app said: no license" }],
  ["stopped", { state: "STOPPED" }],
  ["uninstalled", { state: "UNINSTALLED", routes: [] }],
  ["a Test Launch", { test: true }],
  ["an upgrade is available", { upgradeTo: next }],
  ["an upgrade is starting", { upgradeTo: next, upgrade: { ...upgrade, state: "STARTING" } }],
  ["an upgrade is draining", { version: "1.1.0", upgrade: { ...upgrade, state: "DRAINING" } }],
  ["an upgrade failed", { upgradeTo: next, upgrade: failed }],
  ["a product changed", { changedProducts: [{ name: "Private Motor", changedAt: at, missing: ["vin"] }] }],
];

const open = (changed: Partial<InstallationView>) => {
  const installation = sampleInstallation(changed);
  const url = `/api/installations/${installation.id}`;
  return renderPage(<InstallationPage initial={installation} role="owner" />, {
    path: `/installations/${installation.id}`,
    answers: { [`GET ${url}`]: installation, [`GET ${url}/attempts`]: { attempts: [] } },
  });
};

test.each(STATES)("an installation: %s", async (state, changed) => {
  await open(changed);
  await expect.element(page.getByRole("heading", { level: 1 })).toBeVisible();
  await checkAppearance(`installation, ${state}`);
});

test("the dialog that uninstalls", async () => {
  await open({});
  await page.getByRole("button", { name: "Uninstall" }).click();
  await expect.element(page.getByRole("alertdialog")).toBeVisible();
  await checkAppearance("installation, uninstall");
});
