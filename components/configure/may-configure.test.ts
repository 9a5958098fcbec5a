import { expect, test } from "vitest";
import { whyFixed } from "./may-configure";

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
  expect(whyFixed(running, "operator")).toBeUndefined();
  expect(whyFixed(running, "owner")).toBeUndefined();
  expect(whyFixed({ ...running, test: true }, "publisher")).toBeUndefined();
  expect(whyFixed(running, "publisher")?.text).toContain("Test Launch");
});

test("what is being moved, or is uninstalled, says why it is fixed", () => {
  expect(whyFixed({ ...running, upgrade: { ...upgrade, state: "STARTING" } }, "owner")?.title).toContain(
    "1.1.0",
  );
  expect(whyFixed({ ...running, upgrade: { ...upgrade, state: "DRAINING" } }, "owner")).toBeUndefined();
  expect(whyFixed({ ...running, state: "UNINSTALLING" }, "owner")).toBeDefined();
  expect(whyFixed({ ...running, state: "UNINSTALLED" }, "publisher")?.title).toContain("uninstalled");
  expect(whyFixed({ ...running, state: "ERROR" }, "owner")).toBeUndefined();
});
