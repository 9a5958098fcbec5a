/** Every form of settings marks what the browser fills in, and sends it only once that was confirmed. */
import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { noteStoredPaths } from "@/lib/domain/catalog/mapping/check-path";
import { createBrowserFill } from "@/tests/browser/browser-fill";
import { renderPage } from "@/tests/browser/render";
import { sampleConfiguration, sampleLaunchOffer, sampleOffer } from "@/tests/samples/configuration";
import { sampleTenant } from "@/tests/samples/installations";
import { ConfigureInstallation } from "./configuration/configure-installation";
import { LaunchFlow } from "./launch/launch-flow";
import { UpgradeForm } from "./launch/upgrade-form";
import { ConnectTenant } from "./tenants/connect-tenant";
import { TenantEditForm } from "./tenants/tenant-edit-form";

const button = (name: string | RegExp) => page.getByRole("button", { name }).first();
const field = (name: string | RegExp) => page.getByRole("textbox", { name }).first();
const confirm = () => page.getByRole("button", { name: /^Use this value for/ });
const keysAddress = "https://gateway.example/.well-known/jwks.json";
const stored = sampleConfiguration();
const configure = <ConfigureInstallation initial={stored} notes={noteStoredPaths(stored)} />;
const connect = (
  <ConnectTenant
    eventsAddress="https://gateway.example/core/v1/events"
    keysAddress={keysAddress}
    returnTo={undefined}
  />
);

async function renderLaunch(app: string) {
  localStorage.clear();
  const owner = { userId: "u", organizationId: "o", app, test: false };
  await renderPage(<LaunchFlow offer={sampleLaunchOffer()} owner={owner} mayConnect maySandbox={false} />, {
    path: `/launch/${app}`,
    answers: {},
  });
  await button("Continue").click();
  await button(/Region/).click();
  await page.getByRole("option", { name: "Europe" }).click();
}

async function fillTenant() {
  await field("Name").fill("North");
  await field("Tenant host name").fill("core.example");
  await field("Core API address").fill("https://core.example");
}

interface FilledForm {
  show: () => Promise<unknown>;
  /** What the browser fills in. */
  filled: string | RegExp;
  send: string | RegExp;
}

/** The step of a launch sends nothing, and is not left. */
const FORMS: [what: string, form: FilledForm][] = [
  [
    "the launch",
    { show: () => renderLaunch("acme/filled"), filled: /Key of your VIN provider/, send: "Continue" },
  ],
  ["Configure", { show: () => renderPage(configure), filled: /Greeting/, send: /^Save$/ }],
  ["the check of settings", { show: () => renderPage(configure), filled: /Greeting/, send: /^Check$/ }],
  [
    "an upgrade",
    {
      show: () => renderPage(<UpgradeForm offer={sampleOffer()} isRunning why={undefined} />),
      filled: /Endpoint/,
      send: /^Upgrade to/,
    },
  ],
  [
    "a new tenant",
    { show: async () => (await renderPage(connect), fillTenant()), filled: "Credential", send: /^Connect$/ },
  ],
  [
    "the test of a connection",
    {
      show: async () => (await renderPage(connect), fillTenant()),
      filled: "Credential",
      send: "Test connection",
    },
  ],
  [
    "a tenant that is edited",
    {
      show: () =>
        renderPage(
          <TenantEditForm
            tenant={sampleTenant()}
            keysAddress={keysAddress}
            onCancel={vi.fn()}
            onSaved={vi.fn()}
          />,
        ),
      filled: "Tenant host name",
      send: /^Save$/,
    },
  ],
];

test.each(FORMS)("what the browser fills into %s is not sent until it is confirmed", async (_what, form) => {
  const fill = createBrowserFill();
  await form.show();
  await expect.element(field(form.filled)).toBeVisible();
  await fill(field(form.filled).element(), "user.company.example");
  await expect.poll(() => confirm().all().length).toBe(1);
  const [place, writes] = [location.href, vi.mocked(fetch).mock.calls.length];
  await button(form.send).click();
  await expect.element(confirm()).toHaveFocus();
  expect([location.href, vi.mocked(fetch).mock.calls.length]).toEqual([place, writes]);
  await confirm().click();
  await expect.poll(() => confirm().all().length).toBe(0);
});

test("a confirmed value is sent", async () => {
  const fill = createBrowserFill();
  await renderPage(connect);
  await fillTenant();
  await fill(field("Credential").element(), "the password of this site");
  await confirm().click();
  await button(/^Connect$/).click();
  await expect
    .poll(() => String(vi.mocked(fetch).mock.lastCall?.[1]?.body))
    .toContain("the password of this site");
});
