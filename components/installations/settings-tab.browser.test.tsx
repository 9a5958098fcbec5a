import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { WebhookSecretCard } from "./settings-tab";

const path = "/api/installations/1/webhook-secrets";
const current = { createdAt: "2026-11-20T10:00:00.000Z", expiresAt: null };
const previous = { ...current, expiresAt: new Date(Date.now() + 86_400_000).toISOString() };

// Guarantee: no secret is on the page until somebody asks for it, and it can be hidden again.
test("a webhook secret is revealed on demand, hidden again, and rotated", async () => {
  const secrets = [
    { ...current, secret: "whsec_Q3VycmVudCBzZWNyZXQgb2YgYSBzYW1wbGUgcGFnZSE=" },
    { ...previous, secret: "whsec_UHJldmlvdXMgc2VjcmV0IG9mIGEgc2FtcGxlIHBhZ2U=" },
  ];
  const answers = {
    [`GET ${path}`]: { secrets: [current, previous] },
    [`POST ${path}/reveal`]: { secrets },
    [`POST ${path}`]: new Response(null, { status: 204 }),
  };
  await renderPage(<WebhookSecretCard installationId="1" />, { answers });
  await expect.element(page.getByText(/Previous, created .* stops signing/)).toBeVisible();
  expect(document.body.innerHTML).not.toContain("whsec_");
  await checkAppearance("webhook secret, hidden");
  await page.getByRole("button", { name: "Reveal" }).click();
  for (const { secret } of secrets) await expect.element(page.getByText(secret)).toBeVisible();
  await checkAppearance("webhook secret, revealed");
  await page.getByRole("button", { name: "Hide" }).click();
  expect(document.body.innerHTML).not.toContain("whsec_");
  await page.getByRole("button", { name: "Rotate" }).click();
  await expect.element(page.getByRole("alertdialog")).toBeVisible();
  await checkAppearance("webhook secret, rotate");
  await page.getByRole("alertdialog").getByRole("button", { name: "Rotate" }).click();
  await expect.element(page.getByRole("alertdialog")).not.toBeInTheDocument();
});
