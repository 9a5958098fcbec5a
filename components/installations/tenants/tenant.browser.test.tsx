import { expect, test } from "vitest";
import { page } from "vitest/browser";
import type { ConnectionTest } from "@/lib/contract/platform/core";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { sampleTenant } from "@/tests/samples/installations";
import { ConnectionCard, DisconnectCard } from "./connection-card";
import { CoreCredentialCard } from "./core-credential-card";
import { ProductsCard, TenantCard } from "./tenant-card";
import { TenantInstallationsCard } from "./tenant-installations-card";

const tenant = sampleTenant();
const url = `/api/tenants/${tenant.id}`;

const connection = (ok: boolean): ConnectionTest => ({
  ok,
  steps: [
    { step: "address", ok: true, detail: "core.example is 192.0.2.7." },
    { step: "connect", ok: true, detail: "It answers over TLS." },
    { step: "sign-in", ok, detail: ok ? "The token is accepted." : "It returned 401. Check the credential." },
  ],
  testedAt: "2026-11-20T10:00:00.000Z",
  durationMs: 120,
  products: ok ? ["Private Motor", "Home"] : [],
});

test.each([true, false])("a tenant, its connection test (works: %s), and its form", async (works) => {
  const products = { products: ["Private Motor", "Home"], added: ["Home"], removed: [], changed: [] };
  await renderPage(
    <div className="flex flex-col gap-6">
      <TenantCard tenant={tenant} mayEdit keysAddress="https://gateway.example/.well-known/jwks.json" />
      <ConnectionCard tenant={tenant} />
      <ProductsCard tenant={tenant} />
      <TenantInstallationsCard tenant={tenant} />
      <CoreCredentialCard tenant={tenant} eventsAddress="https://gateway.example/core/v1/events" />
    </div>,
    { answers: { [`POST ${url}/connection`]: connection(works), [`POST ${url}/products`]: products } },
  );
  await page.getByRole("button", { name: "Test connection" }).click();
  await expect
    .element(page.getByText(works ? "The token is accepted." : /Check the credential/))
    .toBeVisible();
  await page.getByRole("button", { name: /^Refresh/ }).click();
  await expect.element(page.getByText("Products changed")).toBeVisible();
  await checkAppearance(`tenant, connection test ${works ? "passed" : "failed"}`);
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  if (works) await checkAppearance("tenant, edit");
});

test("a core that apps can't reach, with what to enter instead", async () => {
  const appsProblem =
    "In an app's container, localhost is the container itself. Let the core also listen on 172.17.0.1, and enter http://172.17.0.1:9000.";
  const unreachable = sampleTenant({ connection: { ...connection(true), appsProblem } });
  await renderPage(<ConnectionCard tenant={unreachable} />);
  const notice = page.getByRole("alert");
  await expect.element(notice.getByText("Apps can't reach this core")).toBeVisible();
  await expect.element(notice.getByText(appsProblem)).toBeVisible();
  await checkAppearance("tenant, out of reach for apps");
});

// Guarantee: a rotation says when the old credential ends, and shows the new one once.
test("rotating the core's credential, with the old one until its overlap ends", async () => {
  const at = tenant.connectedAt;
  const end = new Date(Date.now() + 86_400_000).toISOString();
  const coreCredentials = [
    { id: "6f1b2c34-0000-4000-8000-000000000004", createdAt: at, expiresAt: null, lastUsedAt: null },
    { id: "6f1b2c34-0000-4000-8000-000000000005", createdAt: at, expiresAt: end, lastUsedAt: at },
  ];
  const answers = { [`POST ${url}/core-credentials`]: { coreCredential: "pcc_new" } };
  const events = "https://gateway.example/core/v1/events";
  await renderPage(<CoreCredentialCard tenant={sampleTenant({ coreCredentials })} eventsAddress={events} />, {
    answers,
  });
  await expect.element(page.getByText(/never used/)).toBeVisible();
  await expect.element(page.getByText(/ends/)).toBeVisible();
  await page.getByRole("button", { name: "Rotate" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect.element(dialog.getByText("The current credentials stop working")).toBeVisible();
  await checkAppearance("tenant, rotate credential");
  await dialog.getByRole("button", { name: "Rotate" }).click();
  await expect.element(page.getByText("pcc_new")).toBeVisible();
  await checkAppearance("tenant, new credential");
  await page.getByRole("button", { name: "Done" }).click();
  await expect.element(page.getByText("pcc_new")).not.toBeInTheDocument();
  await page.getByRole("button", { name: "Revoke the ending credential" }).click();
  await expect.element(page.getByText(/stops working immediately/)).toBeVisible();
  await checkAppearance("tenant, revoke credential");
});

// Guarantee: a tenant that apps need can't be disconnected, and the page says which apps those are.
test("a tenant with installations links them instead of offering to disconnect", async () => {
  await renderPage(<DisconnectCard tenant={tenant} />);
  await expect
    .element(page.getByRole("link", { name: "VIN autofill" }))
    .toHaveAttribute("href", `/installations/${tenant.installations[0]?.id}`);
  await expect.element(page.getByRole("button", { name: "Disconnect" })).not.toBeInTheDocument();
  await checkAppearance("tenant, disconnect refused");
});

test("disconnecting is confirmed by typing the tenant's name, and leads to the list", async () => {
  const answers = { [`DELETE ${url}`]: new Response(null, { status: 204 }) };
  await renderPage(<DisconnectCard tenant={sampleTenant({ installations: [] })} />, { answers });
  await page.getByRole("button", { name: "Disconnect" }).click();
  const dialog = page.getByRole("alertdialog");
  const confirm = dialog.getByRole("button", { name: "Disconnect" });
  await expect.element(confirm).toBeDisabled();
  await dialog.getByRole("textbox").fill("Production");
  await checkAppearance("tenant, disconnect");
  await confirm.click();
  await expect.poll(() => location.pathname).toBe("/tenants");
});
