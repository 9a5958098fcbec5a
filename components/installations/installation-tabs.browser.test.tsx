import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import type { InstallationView } from "@/lib/contract/installations/installation-view";
import type { Role } from "@/lib/contract/platform/role";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { sampleCallChart, sampleCallRow } from "@/tests/samples/calls";
import { sampleInstallation } from "@/tests/samples/installations";
import { ConfigurationTab } from "./configuration-tab";
import { CallsTab } from "./calls-tab";
import { InstallationFrame } from "./installation-frame";
import { OverviewTab } from "./overview-tab";
import { SettingsTab } from "./settings-tab";

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
  reason: "The app exited with code 3 before GET /health returned 200.",
  endedAt: at,
  retryable: true,
} as const;

const failures = {
  cause: "failures",
  since: at,
  count: 5,
  reason: "The app was killed by signal SIGSEGV.",
  code: "EXITED",
} as const;
const calls = { cause: "calls", since: at, count: 20, reason: "It returned 500.", code: null } as const;

const STATES: [string, Partial<InstallationView>][] = [
  ["running", {}],
  ["degraded", { health: { status: "DEGRADED", problems: [failures, calls] } }],
  ["asleep", { health: { status: "ASLEEP", problems: [] } }],
  [
    "down, for its publisher",
    {
      logsPath: "/publish/telematics-rater/logs?version=1.0.0",
      health: { status: "DOWN", problems: [{ ...failures, cause: "not-running" }] },
      instance: {
        runtime: "process",
        moving: false,
        state: "FAILED",
        reasonCode: "EXITED",
        reason: failures.reason,
        readyAt: at,
        failures: 5,
        lastFailure: { at, code: "EXITED", exitCode: 139, reason: failures.reason },
        log: { at, text: "starting…\nTypeError: Cannot read properties of undefined (reading 'vin')" },
      },
    },
  ],
  ["parked", { health: { status: "DOWN", problems: [{ ...failures, cause: "parked", count: 10 }] } }],
  [
    "failed to start",
    {
      state: "ERROR",
      reason:
        "The app was not ready within 60 s. GET /health got no response. It listens on port 3000, not on the port in PLATFORM_PORT, which is 8080. It must listen on 0.0.0.0 and on the port in PLATFORM_PORT.",
      reasonCode: "PORT_NOT_BOUND",
    },
  ],
  ["launching", { state: "LAUNCHING", instance: null }],
  ["failed", { state: "ERROR", reason: "The start hook returned 500. The app said: no license" }],
  ["stopped", { state: "STOPPED" }],
  ["uninstalled", { state: "UNINSTALLED", routes: [] }],
  ["a Test Launch", { test: true }],
  ["a trial", { test: true, trialEndsAt: new Date(Date.now() + 82_000_000).toISOString() }],
  ["a trial that has ended", { test: true, trialEndsAt: at, state: "UNINSTALLED", routes: [] }],
  ["suspended", { listing: { state: "SUSPENDED", suspension: "It sends policy data to a third party." } }],
  ["retired", { listing: { state: "RETIRED", suspension: null } }],
  ["an upgrade is available", { upgradeTo: next }],
  ["an upgrade is starting", { upgradeTo: next, upgrade: { ...upgrade, state: "STARTING" } }],
  ["an upgrade is draining", { version: "1.1.0", upgrade: { ...upgrade, state: "DRAINING" } }],
  ["an upgrade failed", { upgradeTo: next, upgrade: failed }],
  [
    "the publisher has new terms",
    { newTerms: { url: "https://acme.example/terms/2026-12", version: "2026-12" } },
  ],
  ["a pilot version is available", { pilotTo: { ...next, pilot: true } }],
  ["a pilot version", { pilot: { ended: null, verified: next } }],
  ["a pilot version that was refused", { pilot: { ended: "REFUSED", verified: next } }],
  ["a pilot version after the pilot", { pilot: { ended: "LEFT", verified: null } }],
  ["a product changed", { changedProducts: [{ name: "Private Motor", changedAt: at, missing: ["vin"] }] }],
];

const NO_SCOPES = { apps: [], installations: [], more: false, routes: [] };

const ACCEPTANCES = [
  {
    id: "018f0000-0000-7000-8000-0000000000c1",
    url: "https://acme.example/terms/2026-11",
    version: "2026-11",
    acceptedAt: at,
    acceptedBy: "Maya",
  },
];

const TABS = {
  "": OverviewTab,
  "/calls": () => <CallsTab scopes={NO_SCOPES} />,
  "/configuration": ConfigurationTab,
  "/settings": () => <SettingsTab accepted={{ acceptances: ACCEPTANCES, more: 2 }} />,
};

const open = (changed: Partial<InstallationView>, tab: keyof typeof TABS = "", role: Role = "owner") => {
  const installation = sampleInstallation(changed);
  const url = `/api/installations/${installation.id}`;
  const Tab = TABS[tab];
  return renderPage(
    <InstallationFrame initial={installation} role={role}>
      <Tab />
    </InstallationFrame>,
    {
      path: `/installations/${installation.id}${tab}`,
      answers: {
        [`GET ${url}`]: installation,
        [`POST ${url}/start-again`]: new Response(null, { status: 204 }),
        [`GET ${url}/webhook-secrets`]: { secrets: [{ createdAt: at, expiresAt: null }] },
        [`GET ${url}/samples`]: {
          products: [{ name: "Private Motor", data: { car: { vin: "1HGCM82633A004352" } }, given: true }],
        },
        [`GET /api/calls?installation=${installation.id}`]: { calls: [sampleCallRow()] },
        [`GET /api/calls/chart?installation=${installation.id}`]: sampleCallChart(),
      },
    },
  );
};

test.each(STATES)("the overview of an installation: %s", async (state, changed) => {
  await open(changed);
  await expect.element(page.getByRole("heading", { level: 1 })).toBeVisible();
  await checkAppearance(`installation, ${state}`);
});

// Guarantee: nobody is warned of a process that becomes a container within seconds.
test.each([
  ["moves", true, false, "Moving to a container"],
  ["may move", null, false, "Process on the host"],
  ["stays", false, true, "Process on the host"],
])("a process that %s", async (_what, moving, isWarned, runtime) => {
  const { instance } = sampleInstallation({});
  await open({ instance: instance && { ...instance, runtime: "process", moving } });
  await expect.element(page.getByText(runtime)).toBeVisible();
  expect(page.getByText("Not isolated").elements()).toHaveLength(isWarned ? 1 : 0);
});

const TRIAL = { test: true, trialEndsAt: new Date(Date.now() + 82_000_000).toISOString() };
const installed = (...ids: number[]) => ids.map((id) => ({ id: `6f1b2c34-0000-4000-8000-00000000009${id}` }));

// Guarantee: a trial leads to what can be done next: where the app runs for real, and to a launch only if a tenant is left for it.
test.each([
  ["in no tenant", [], false, [["Use it for real", "/launch/acme/telematics-rater?from="]]],
  [
    "in all tenants",
    installed(1),
    false,
    [["Open the installation", `/installations/${installed(1)[0]?.id}`]],
  ],
  [
    "in some tenants",
    installed(1, 2),
    true,
    [
      ["Open 2 installations", "/installations?q=telematics-rater"],
      ["Use it for another tenant", "/launch/acme/telematics-rater?from="],
    ],
  ],
])("a trial of an app that is used %s", async (where, of, hasOtherTenant, expected) => {
  await open({ ...TRIAL, used: { installed: of, hasOtherTenant } });
  const links = () => page.getByRole("region", { name: "Trial" }).getByRole("link").elements();
  await expect.poll(() => links().map((link) => link.textContent)).toEqual(expected.map(([text]) => text));
  for (const [at, link] of links().entries())
    expect(link.getAttribute("href")?.startsWith(String(expected[at]?.[1]))).toBe(true);
  await checkAppearance(`installation, a trial used ${where}`);
});

// Guarantee: every tab fits a phone, and the open one is marked.
test.each(["/calls", "/configuration", "/settings"] as const)("the tab %s", async (tab) => {
  await open({}, tab);
  await expect
    .element(page.getByRole("link", { name: tab.slice(1) }).first())
    .toHaveAttribute("aria-current", "page");
  if (tab === "/settings")
    await expect.element(page.getByText(/^2 more acceptances are not shown/)).toBeVisible();
  await checkAppearance(`installation${tab}`);
});

// Guarantee: actions that cannot be undone are only on Settings, and are confirmed by typing the name.
test("uninstalling is in Settings, and is confirmed by typing the name", async () => {
  const { unmount } = await open({});
  await expect.element(page.getByRole("button", { name: "Stop" })).toBeVisible();
  expect(page.getByRole("button", { name: "Uninstall" }).elements()).toEqual([]);
  await unmount();
  await open({}, "/settings");
  await page.getByRole("button", { name: "Uninstall" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect.element(dialog.getByRole("button", { name: "Uninstall" })).toBeDisabled();
  await checkAppearance("installation, uninstall");
  await dialog.getByRole("textbox").fill("acme/telematics-rater");
  await expect.element(dialog.getByRole("button", { name: "Uninstall" })).toBeEnabled();
});

// Guarantee: why somebody leaves is asked once, and nobody has to answer.
test("the reason of an uninstall is optional, and sent with it", async () => {
  await open({}, "/settings");
  await page.getByRole("button", { name: "Uninstall" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect
    .element(dialog.getByRole("textbox", { name: "What could be better?" }))
    .not.toBeInTheDocument();
  await dialog.getByRole("button", { name: /Reason/ }).click();
  await page.getByRole("option", { name: "It lacks something we need" }).click();
  await dialog.getByRole("textbox", { name: "What could be better?" }).fill("It reads no trailers.");
  await checkAppearance("installation, uninstall with a reason");
  await dialog.getByRole("textbox").last().fill("acme/telematics-rater");
  await dialog.getByRole("button", { name: "Uninstall" }).click();
  await expect
    .poll(() => vi.mocked(fetch).mock.calls.map(([url, init]) => [String(url).split("/").at(-1), init?.body]))
    .toContainEqual([
      "uninstall",
      JSON.stringify({ reason: "missing-feature", comment: "It reads no trailers." }),
    ]);
});

// Guarantee: an app that is not restarted anymore can be started again by those who may operate it, and by nobody else.
test("a parked app is started again from its page", async () => {
  const changed: Partial<InstallationView> = {
    health: { status: "DOWN", problems: [{ ...failures, cause: "parked", count: 10 }] },
  };
  const { unmount } = await open(changed);
  await page.getByRole("button", { name: "Start again" }).click();
  await expect.element(page.getByLabelText("Working")).toBeVisible();
  await unmount();
  await open(changed, "", "publisher");
  await expect.element(page.getByText("Parked after repeated crashes")).toBeVisible();
  expect(page.getByRole("button", { name: "Start again" }).elements()).toEqual([]);
});

test("a publisher sees a production installation without its commands", async () => {
  await open({}, "/settings", "publisher");
  await expect.element(page.getByText(/Only operators and owners/)).toBeVisible();
  expect(page.getByRole("button", { name: /Stop|Uninstall/ }).elements()).toEqual([]);
});

// Guarantee: nobody sends a test call to production without having read what that means.
test("a test call from the overview asks first on production", async () => {
  await open({});
  await page.getByRole("button", { name: "Choose a sample call" }).click();
  await page.getByRole("button", { name: "Send a sample call to /autofill" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect.element(dialog).toHaveTextContent("This installation is in production.");
  await checkAppearance("installation, test call to production");
  await dialog.getByRole("button", { name: "Cancel" }).click();
});
