import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { Card } from "@/components/ui/card";
import { API_KEY_SCOPES, SCOPE_TEXTS, SUGGESTED_SCOPES } from "@/lib/contract/accounts/api-key-scope";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { ApiKeyTable } from "./api-key-table";
import { NewApiKey } from "./new-api-key";

const from = (days: number) => new Date(Date.now() + days * 86_400_000);
const base = {
  clientId: "pci_q8Yw2mZkP0aV7h3T",
  scopes: [...API_KEY_SCOPES],
  createdBy: "Maya Moss",
  createdAt: from(-90),
  lastUsedAt: from(-0.1),
  lastUsedFrom: "203.0.113.7",
  expiresAt: from(60),
};
const keys = [
  { ...base, id: "1", name: "CI", state: "ACTIVE" as const },
  {
    ...base,
    id: "2",
    name: "Laptop",
    scopes: ["manifest:read" as const, "manifest:write" as const],
    expiresAt: from(3),
    state: "EXPIRES_SOON" as const,
  },
  {
    ...base,
    id: "3",
    name: "Old build server of the department",
    expiresAt: from(-3),
    lastUsedFrom: "2001:db8:7:9",
    state: "EXPIRED" as const,
  },
  {
    ...base,
    id: "4",
    name: "Lost",
    expiresAt: null,
    lastUsedAt: null,
    lastUsedFrom: "",
    state: "REVOKED" as const,
  },
];
const created = { name: "CI", clientId: "pci_new", apiKey: `pak_${"k".repeat(43)}` };
const bodies = () =>
  vi
    .mocked(fetch)
    .mock.calls.flatMap(([path, init]) =>
      typeof init?.body === "string" ? [[path, JSON.parse(init.body)]] : [],
    );

test("each state of a key is shown, and only keys that work can be rotated and revoked", async () => {
  await renderPage(
    <Card flush>
      <ApiKeyTable apiKeys={keys} />
    </Card>,
  );
  await expect.element(page.getByText("Expires soon")).toBeVisible();
  expect(page.getByRole("button", { name: /^Rotate/ }).elements()).toHaveLength(2);
  expect(page.getByRole("button", { name: /^Revoke/ }).elements()).toHaveLength(2);
  await checkAppearance("api keys");
});

test("a new key may do no more than the start guide needs, unless its creator chooses more", async () => {
  await renderPage(<NewApiKey />, { answers: { "POST /api/organization/api-keys": created } });
  await page.getByRole("textbox", { name: "Name" }).fill("CI");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect.element(page.getByText(created.apiKey)).toBeVisible();
  expect(bodies()).toEqual([
    ["/api/organization/api-keys", { name: "CI", scopes: [...SUGGESTED_SCOPES], days: 90 }],
  ]);
});

test("a key has the chosen scopes and 90 days, and is shown once", async () => {
  await renderPage(<NewApiKey />, { answers: { "POST /api/organization/api-keys": created } });
  await page.getByRole("textbox", { name: "Name" }).fill("CI");
  await page.getByText("Publish images as versions").click();
  await page.getByText("Change the manifest of an app's draft").click();
  await checkAppearance("new api key");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect.element(page.getByText(created.apiKey)).toBeVisible();
  expect(bodies()).toEqual([
    [
      "/api/organization/api-keys",
      {
        name: "CI",
        scopes: ["listings:create", "manifest:read", "manifest:write", "reviews:submit", "logs:read"],
        days: 90,
      },
    ],
  ]);
});

test("a key without a scope is refused before it is sent", async () => {
  await renderPage(<NewApiKey />);
  await page.getByRole("textbox", { name: "Name" }).fill("CI");
  for (const scope of SUGGESTED_SCOPES) await page.getByText(SCOPE_TEXTS[scope]).click();
  await page.getByRole("button", { name: "Create key" }).click();
  await expect.element(page.getByText("Choose what the key may do.")).toBeVisible();
});

test("rotating asks how long the old key works, and shows the new one", async () => {
  await renderPage(<ApiKeyTable apiKeys={[{ ...base, id: "1", name: "CI", state: "ACTIVE" }]} />, {
    answers: { "POST /api/organization/api-keys/1/rotate": created },
  });
  await page.getByRole("button", { name: "Rotate CI" }).click();
  const dialog = page.getByRole("dialog");
  await expect.element(dialog.getByText("The old key stops working")).toBeVisible();
  await checkAppearance("rotate api key");
  await dialog.getByRole("button", { name: "Rotate key" }).click();
  await expect.element(dialog.getByText(created.apiKey)).toBeVisible();
  expect(bodies()).toEqual([["/api/organization/api-keys/1/rotate", { overlap: "24h", days: 90 }]]);
});
