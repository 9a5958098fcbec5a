import { expect, test } from "vitest";
import { INSTALLATION_STATES } from "@/lib/contract/catalog/installation-states";
import { whyNotConfigurable, whyNotUpgradable } from "./read-only-reasons";

const running = { state: "RUNNING", test: false, upgrade: null } as const;
const upgrade = {
  id: "6f1b2c34-0000-4000-8000-000000000009",
  from: "1.0.0",
  to: "1.1.0",
  rollback: false,
  reason: null,
  startedAt: "2026-11-20T10:00:00.000Z",
  startedBy: "Maya",
  endedAt: null,
  retryable: false,
} as const;

test("operators and owners may configure; a publisher only a Test Launch", () => {
  expect(whyNotConfigurable(running, "operator")).toBeUndefined();
  expect(whyNotConfigurable(running, "owner")).toBeUndefined();
  expect(whyNotConfigurable({ ...running, test: true }, "publisher")).toBeUndefined();
  expect(whyNotConfigurable(running, "publisher")?.text).toContain("Test Launch");
});

test("an installation that is being upgraded or uninstalled gives the reason", () => {
  const starting = { ...running, upgrade: { ...upgrade, state: "STARTING" } } as const;
  expect(whyNotConfigurable(starting, "owner")?.title).toContain("1.1.0");
  expect(
    whyNotConfigurable({ ...running, upgrade: { ...upgrade, state: "DRAINING" } }, "owner"),
  ).toBeUndefined();
  expect(whyNotConfigurable({ ...running, state: "UNINSTALLING" }, "owner")).toBeDefined();
  expect(whyNotConfigurable({ ...running, state: "UNINSTALLED" }, "publisher")?.title).toContain(
    "uninstalled",
  );
  expect(whyNotConfigurable({ ...running, state: "ERROR" }, "owner")).toBeUndefined();
});

test("only a settled installation can be upgraded", () => {
  const upgradable = INSTALLATION_STATES.filter(
    (state) => whyNotUpgradable({ ...running, state }, "operator") === undefined,
  );
  expect(upgradable).toEqual(["RUNNING", "ERROR", "STOPPED"]);
});

test("a publisher may only upgrade a Test Launch", () => {
  expect(whyNotUpgradable(running, "publisher")?.text).toContain("Test Launch");
  expect(whyNotUpgradable({ ...running, test: true }, "publisher")).toBeUndefined();
});
