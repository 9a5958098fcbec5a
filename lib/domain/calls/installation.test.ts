import { expect, test } from "vitest";
import { INSTALLATION_STATES, ROUTE_KINDS } from "@/lib/contract/catalog/installation-states";
import { COMMANDS, isCallable, mayReadState, nameTest, stateAfter } from "./installation";

// Guarantee: an installation that is gone, or on its way, takes no command.
test("commands by state", () => {
  const table = Object.fromEntries(
    INSTALLATION_STATES.map((state) => [
      state,
      COMMANDS.filter((command) => stateAfter(state, command) !== undefined),
    ]),
  );
  expect(table).toEqual({
    LAUNCHING: ["uninstall"],
    RUNNING: ["stop", "uninstall"],
    ERROR: ["start", "uninstall"],
    STOPPING: [],
    STOPPED: ["start", "uninstall"],
    UNINSTALLING: [],
    UNINSTALLED: [],
  });
});

// Guarantee: a key of a call stops working the moment its installation stops running; a hook's key lives while its hook
// may run.
test("keys by state and kind", () => {
  const hooks = INSTALLATION_STATES.filter((state) => mayReadState(state, "lifecycle"));
  expect(hooks).toEqual(["LAUNCHING", "RUNNING", "STOPPING", "UNINSTALLING"]);
  for (const kind of ROUTE_KINDS.filter((each) => each !== "lifecycle")) {
    expect(INSTALLATION_STATES.filter((state) => mayReadState(state, kind))).toEqual(["RUNNING"]);
  }
  expect(INSTALLATION_STATES.filter(isCallable)).toEqual(["RUNNING"]);
});

test("a trial is called one, although it is a Test Launch too", () => {
  expect(nameTest({ test: true, trial: true })).toBe("Trial");
  expect(nameTest({ test: true, trial: false })).toBe("Test Launch");
  expect(nameTest({ test: false, trial: false })).toBeUndefined();
});
