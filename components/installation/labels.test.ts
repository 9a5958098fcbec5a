import { expect, test } from "vitest";
import type { UpgradeView } from "@/lib/contract/configuration-view";
import { INSTALLATION_STATES, UPGRADE_STATES } from "@/lib/contract/installation";
import { isUpgrading, pathOfTarget, stateWords, upgradeNews, watchEvery } from "./labels";

test("every state but running says what it means, and an error gives its reason", () => {
  for (const state of INSTALLATION_STATES) {
    const words = stateWords({ state, reason: "Port 8080 is closed.", instance: null, test: false });
    if (state === "RUNNING") expect(words).toBeUndefined();
    else expect(words?.text, state).toMatch(/\.$/);
    expect(words?.reason, state).toBe(state === "ERROR" ? "Port 8080 is closed." : undefined);
  }
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

test("while an upgrade is under way the page says which version serves", () => {
  const starting = upgradeNews({ state: "RUNNING", upgrade: upgradeIn("STARTING") }, NOW);
  expect(starting?.text).toBe("Starting 1.1.0; 1.0.0 serves on.");
  expect(starting?.steps.map((step) => step.progress)).toEqual(["now", "later", "later"]);
  const draining = upgradeNews({ state: "RUNNING", upgrade: upgradeIn("DRAINING") }, NOW);
  expect(draining?.text).toBe("1.1.0 serves; calls on 1.0.0 are ending.");
  expect(draining?.steps.map((step) => step.progress)).toEqual(["done", "done", "now"]);
});

test("after a failure the page says that the old version serves on, and never so of one that is stopped", () => {
  const upgrade = upgradeIn("FAILED");
  expect(upgradeNews({ state: "RUNNING", upgrade }, NOW)?.text).toBe("Nothing was lost: 1.0.0 serves on.");
  for (const state of ["STOPPED", "ERROR"] as const)
    expect(upgradeNews({ state, upgrade }, NOW)?.text).not.toContain("serves");
});

test("an upgrade that is done is news for ten minutes", () => {
  const done = (endedAt: string) =>
    upgradeNews({ state: "RUNNING", upgrade: upgradeIn("DONE", { endedAt }) }, NOW);
  expect(done("2026-03-01T11:59:00.000Z")?.kind).toBe("done");
  expect(done("2026-03-01T11:49:00.000Z")).toBeUndefined();
});

test("of an installation that is gone no upgrade is told", () => {
  for (const state of UPGRADE_STATES)
    expect(upgradeNews({ state: "UNINSTALLED", upgrade: upgradeIn(state) }, NOW)).toBeUndefined();
});

test("a page looks every second exactly while something moves by itself", () => {
  const close = (state: (typeof INSTALLATION_STATES)[number], upgrade: UpgradeView | null) =>
    watchEvery({ state, upgrade }) === 1_000;
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

test("a failed move leads to its own target, or to the newest when that is not offered any more", () => {
  const target = { versionId: "v11", number: "1.1.0", publishedAt: "2026-03-01T00:00:00.000Z" };
  const at = { id: "i1", upgradeTo: target, rollbackTo: null };
  expect(pathOfTarget(at, "1.1.0")).toBe("/installations/i1/upgrade?to=v11");
  expect(pathOfTarget(at, "1.0.5")).toBe("/installations/i1/upgrade");
});
