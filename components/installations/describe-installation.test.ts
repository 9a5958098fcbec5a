import { expect, test } from "vitest";
import { INSTALLATION_STATES, UPGRADE_STATES } from "@/lib/contract/catalog/installation-states";
import { INSTALLATION_STATUSES, type InstallationStatus } from "@/lib/contract/insight/health";
import type { UpgradeView } from "@/lib/contract/installations/configuration-view";
import {
  describeState,
  describeUpgrade,
  findRemedy,
  isUpgrading,
  refreshInterval,
  supportMail,
  upgradePathTo,
} from "./describe-installation";

const stateLabel = (status: InstallationStatus, installedAt: string | null = null, isWorkerAway = false) =>
  describeState(
    {
      health: { status, problems: [] },
      reason: "Port 8080 is closed.",
      installedAt,
      instance: null,
      test: false,
    },
    isWorkerAway,
  );

test("every status except RUNNING is explained, and an error gives its reason", () => {
  for (const status of INSTALLATION_STATUSES) {
    const label = stateLabel(status);
    if (status === "RUNNING") expect(label).toBeUndefined();
    else expect(label?.text, status).toMatch(/\.$/);
    expect(label?.reason, status).toBe(status === "ERROR" ? "Port 8080 is closed." : undefined);
  }
});

// Guarantee: nobody reads that something is being done while the only part that does it is unavailable.
test("while the worker is unavailable, what only it does continues when it is back", () => {
  for (const status of ["DOWN", "ASLEEP", "LAUNCHING", "STOPPING", "UNINSTALLING"] as const) {
    const { text = "" } = stateLabel(status, null, true) ?? {};
    expect(text, status).toContain("The platform's worker is unavailable.");
    expect(text, status).toMatch(/when it is back|Until it is back/);
    expect(text, status).not.toMatch(/is starting|are being|is being|takes a few seconds|automatically/);
  }
  for (const state of ["STARTING", "DRAINING"] as const) {
    const news = describeUpgrade({ state: "RUNNING", upgrade: upgradeIn(state) }, NOW, true);
    expect(news?.text, state).toMatch(/worker is unavailable\. It st\w+ [\d.]+ when it is back/);
  }
});

// Guarantee: an app that had run is never said to have failed its launch.
test("only an installation that was never installed failed its launch", () => {
  expect(stateLabel("ERROR")?.title).toBe("Launch failed");
  expect(stateLabel("ERROR", "2026-03-01T11:58:00.000Z")?.title).toBe("Start failed");
  expect(stateLabel("DOWN", "2026-03-01T11:58:00.000Z")?.title).toBe("Down");
});

const NOW = Date.parse("2026-03-01T12:00:00.000Z");

function upgradeIn(state: UpgradeView["state"], changes: Partial<UpgradeView> = {}): UpgradeView {
  return {
    id: "01a1fd9b-0000-7000-8000-000000000001",
    from: "1.0.0",
    to: "1.1.0",
    rollback: false,
    state,
    reason: null,
    startedAt: "2026-03-01T11:58:00.000Z",
    startedBy: "Ada",
    endedAt: null,
    retryable: false,
    ...changes,
  };
}

test("during an upgrade the page shows which version serves", () => {
  const starting = describeUpgrade({ state: "RUNNING", upgrade: upgradeIn("STARTING") }, NOW);
  expect(starting?.text).toBe("1.0.0 keeps serving while 1.1.0 starts.");
  expect(starting?.steps.map((step) => step.progress)).toEqual(["now", "later", "later"]);
  const draining = describeUpgrade({ state: "RUNNING", upgrade: upgradeIn("DRAINING") }, NOW);
  expect(draining?.text).toBe("1.1.0 serves new calls while calls to 1.0.0 finish.");
  expect(draining?.steps.map((step) => step.progress)).toEqual(["done", "done", "now"]);
});

test("after a failed upgrade the page says that the old version keeps serving, unless the installation is stopped", () => {
  const upgrade = upgradeIn("FAILED");
  expect(describeUpgrade({ state: "RUNNING", upgrade }, NOW)?.text).toBe(
    "Nothing was lost. 1.0.0 keeps serving.",
  );
  for (const state of ["STOPPED", "ERROR"] as const)
    expect(describeUpgrade({ state, upgrade }, NOW)?.text).not.toContain("serving");
});

test("a finished upgrade is shown for ten minutes", () => {
  const done = (endedAt: string) =>
    describeUpgrade({ state: "RUNNING", upgrade: upgradeIn("DONE", { endedAt }) }, NOW);
  expect(done("2026-03-01T11:59:00.000Z")?.kind).toBe("done");
  expect(done("2026-03-01T11:49:00.000Z")).toBeUndefined();
});

test("an uninstalled installation shows no upgrade", () => {
  for (const state of UPGRADE_STATES)
    expect(describeUpgrade({ state: "UNINSTALLED", upgrade: upgradeIn(state) }, NOW)).toBeUndefined();
});

test("the page refreshes every second only while something changes by itself", () => {
  const close = (state: (typeof INSTALLATION_STATES)[number], upgrade: UpgradeView | null) =>
    refreshInterval({ state, upgrade }) === 1_000;
  expect(INSTALLATION_STATES.filter((state) => close(state, null))).toEqual([
    "LAUNCHING",
    "STOPPING",
    "UNINSTALLING",
  ]);
  expect(UPGRADE_STATES.filter((state) => close("RUNNING", upgradeIn(state)))).toEqual([
    "STARTING",
    "DRAINING",
  ]);
  expect(isUpgrading({ upgrade: null })).toBe(false);
});

test("a failed upgrade links to its own target, or to the newest version if that target is gone", () => {
  const target = { versionId: "v11", number: "1.1.0", publishedAt: "2026-03-01T00:00:00.000Z" };
  const at = { id: "i1", upgradeTo: target, rollbackTo: null };
  expect(upgradePathTo(at, "1.1.0")).toBe("/installations/i1/upgrade?to=v11");
  expect(upgradePathTo(at, "1.0.5")).toBe("/installations/i1/upgrade");
});

const failing = (changes: object) =>
  findRemedy({
    health: { status: "ERROR", problems: [] },
    reasonCode: "EXITED",
    installedAt: null,
    logsPath: null,
    upgradeTo: null,
    ...changes,
  });

// Guarantee: one next step, for whoever reads it: customers can't publish a version, and nobody is told to fix what only others can.
test("each failure has one next step for its reader", () => {
  expect(failing({})).toMatchObject({ contact: true, text: /Only the publisher can fix this/ });
  expect(failing({})?.text).not.toMatch(/publish a new version/);
  expect(failing({ logsPath: "/publish/app/logs" })).toMatchObject({
    contact: false,
    text: /publish a new version/,
  });
  const upgradeTo = { versionId: "v", number: "1.1.0", publishedAt: "2026-03-01T00:00:00.000Z" };
  expect(failing({ upgradeTo })?.text).toContain("Upgrade to 1.1.0");
  expect(failing({ reasonCode: "ENGINE_UNREACHABLE" })).toMatchObject({ contact: false, text: /operator/ });
  expect(failing({ reasonCode: null })?.text).toContain("Check the settings that you entered");
  expect(failing({ reasonCode: "INTERRUPTED" })?.text).toBe("Start it again.");
  // Starting is offered first only where it can help.
  for (const changes of [
    {},
    { logsPath: "/publish/app/logs" },
    { upgradeTo },
    { reasonCode: "ENGINE_UNREACHABLE" },
  ])
    expect(failing(changes)?.starts).toBe(false);
  for (const changes of [{ reasonCode: null }, { reasonCode: "INTERRUPTED" }])
    expect(failing(changes)?.starts).toBe(true);
  expect(failing({ health: { status: "RUNNING", problems: [] } })).toBeUndefined();
});

test.each([
  ["DEGRADED", "calls", /failed calls.* contact the publisher/, true],
  ["DEGRADED", "deliveries-paused", /failed calls.* contact the publisher/, true],
  ["DEGRADED", "health-checks", /contact the publisher/, false],
  ["DEGRADED", "failures", /If it fails again, contact the publisher/, false],
  ["DOWN", "not-running", /isn't running again in a few minutes, contact the publisher/, false],
  ["DOWN", "parked", /Start again/, false],
] as const)("an installation that is %s because of %s has a next step, too", (status, cause, text, calls) => {
  const problem = { cause, since: "2026-03-01T00:00:00.000Z", count: 3, reason: "It failed.", code: null };
  const down = { health: { status, problems: [problem] }, reasonCode: null };
  expect(failing(down)).toMatchObject({ contact: true, text, calls, starts: cause === "parked" });
  const own = failing({ ...down, logsPath: "/publish/app/logs" });
  expect(own).toMatchObject({ contact: false, text: /read the app's log/ });
});

test("a mail to the publisher names what failed", () => {
  const mail = supportMail(
    {
      id: "i-1",
      title: "Claims & intake",
      name: "acme/claims-intake",
      version: "1.2.0",
      health: { status: "ERROR", problems: [] },
      reason: "It ended with code 1.",
      support: { link: "", address: "support@acme.example" },
    },
    "EXITED",
  );
  const url = new URL(mail);
  expect(url.pathname).toBe("support@acme.example");
  expect(url.searchParams.get("subject")).toBe("Claims & intake 1.2.0 doesn't work (i-1)");
  expect(url.searchParams.get("body")).toContain(
    "Reference: i-1\nCode: EXITED\nWhat the platform says: It ended",
  );
});
