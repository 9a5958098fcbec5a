import { expect, test } from "vitest";
import { INSTALLATION_STATES } from "@/lib/contract/installation";
import { whyStuck } from "./may-upgrade";

test("what rests or runs can be moved; what is on its way says why it cannot", () => {
  const movable = INSTALLATION_STATES.filter(
    (state) => whyStuck({ state, test: false, upgrade: null }, "operator") === undefined,
  );
  expect(movable).toEqual(["RUNNING", "ERROR", "STOPPED"]);
});

test("a publisher may only upgrade a Test Launch", () => {
  expect(whyStuck({ state: "RUNNING", test: false, upgrade: null }, "publisher")?.text).toContain(
    "Test Launch",
  );
  expect(whyStuck({ state: "RUNNING", test: true, upgrade: null }, "publisher")).toBeUndefined();
});
