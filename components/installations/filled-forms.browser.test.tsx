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

const launchKey = () => field(/Key of your VIN provider/);

test.each(["Back", /Map Motorcycle/])(
  "a step of a launch is not left by %s with a filled value",
  async (way) => {
    const fill = createBrowserFill();
    await renderLaunch("acme/left");
    await fill(launchKey().element(), "user.company.example");
    await button(way).click();
    await expect.element(confirm()).toHaveFocus();
    await expect.element(launchKey()).toBeVisible();
    await confirm().click();
    await button(way).click();
    await expect.poll(() => launchKey().all().length).toBe(0);
  },
);

test("what the browser filled in is gone if its step is left by the browser's Back", async () => {
  const fill = createBrowserFill();
  await renderLaunch("acme/gone");
  await field("Greeting").fill("Hello");
  await fill(launchKey().element(), "user.company.example");
  history.back();
  await expect.poll(() => launchKey().all().length).toBe(0);
  await button("Continue").click();
  await expect.element(launchKey()).toHaveValue("");
  await expect.element(field("Greeting")).toHaveValue("Hello");
});

test("what the browser filled in is not saved in a draft when the page is closed", async () => {
  const fill = createBrowserFill();
  await renderLaunch("acme/closed");
  await fill(field("Greeting").element(), "user.company.example");
  await expect.poll(() => Object.values(localStorage).join("")).toContain("user.company.example");
  window.dispatchEvent(new PageTransitionEvent("pagehide"));
  expect(Object.values(localStorage).join("")).not.toContain("user.company.example");
});

test("what the browser filled in is gone once another choice hides its field, and the choice stays", async () => {
  const fill = createBrowserFill();
  await renderPage(configure);
  const choose = (choice: string) =>
    page
      .getByRole("radiogroup", { name: /^Provider key/ })
      .getByText(choice, { exact: true })
      .click();
  await choose("Replace");
  await fill(field(/^New value of Provider key/).element(), "the password of this site");
  await choose("Keep");
  await expect.element(page.getByRole("radio", { name: "Keep" }).first()).toBeChecked();
  await choose("Replace");
  await expect.element(field(/^New value of Provider key/)).toHaveValue("");
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
