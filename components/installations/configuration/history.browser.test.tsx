import { expect, test } from "vitest";
import { page } from "vitest/browser";
import type { RevisionView, SecretLedger } from "@/lib/contract/installations/configuration-view";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { RevisionList } from "./revision-list";
import { SecretList } from "./secret-list";

const at = "2026-11-20T10:00:00.000Z";
const revision = (number: number, changed: Partial<RevisionView>): RevisionView => ({
  revision: number,
  current: false,
  version: "1.0.0",
  cause: "configure",
  restoredFrom: null,
  savedAt: at,
  savedBy: "Maya",
  changes: [],
  moreChanges: 0,
  restorable: true,
  ...changed,
});

const REVISIONS = [
  revision(4, {
    current: true,
    cause: "upgrade",
    version: "1.1.0",
    changes: [{ kind: "version", before: "1.0.0", after: "1.1.0" }],
    restorable: false,
  }),
  revision(3, { cause: "restore", restoredFrom: 1, changes: [], moreChanges: 12 }),
  revision(2, {
    changes: [
      { kind: "setting", name: "greeting", title: "Greeting", before: "Hello", after: "Ahoy" },
      { kind: "secret", name: "apiKey", title: "Provider key", change: "replaced" },
      { kind: "mapping", productName: "Auto", name: "vin", title: "VIN field", after: "$.vehicle.vin" },
    ],
  }),
  revision(1, { cause: "launch" }),
];

const SECRETS: SecretLedger[] = [
  {
    name: "apiKey",
    title: "Provider key",
    configured: true,
    lastReadAt: at,
    entries: [
      { action: "replaced", revision: 2, at, by: "Maya" },
      { action: "set", revision: 1, at, by: "Maya" },
    ],
    moreEntries: 12,
  },
  { name: "token", title: "Token", configured: false, lastReadAt: null, entries: [], moreEntries: 0 },
];

test("revisions, and the dialog that restores one", async () => {
  await renderPage(
    <RevisionList installationId="1" revisions={REVISIONS} newer={[]} current={4} mayRestore gone={false} />,
  );
  await checkAppearance("history, revisions");
  await page.getByRole("button", { name: "Restore" }).first().click();
  await expect.element(page.getByRole("alertdialog").or(page.getByRole("dialog"))).toBeVisible();
  await checkAppearance("history, restore");
});

test("secrets, with and without entries, and none", async () => {
  const { rerender } = await renderPage(<SecretList secrets={SECRETS} />);
  await expect.element(page.getByText("12 more entries are not shown.")).toBeVisible();
  await checkAppearance("history, secrets");
  await rerender(<SecretList secrets={[]} />);
  await checkAppearance("history, no secrets");
});
