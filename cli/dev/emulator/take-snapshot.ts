/** Everything that the page shows, as it is now. */
import { randomUUID } from "node:crypto";
import type { DevInstance } from "../contract/instance";
import type { DevSnapshot } from "../contract/snapshot";
import type { Emulator } from "./emulator";
import { listCustomers } from "./view-customers";

const RUN_ID = randomUUID();

export function takeSnapshot(emulator: Emulator): DevSnapshot {
  const { version, folder, appUrl, manifestView, settings, customers, history, drills } = emulator;
  return {
    runId: RUN_ID,
    ...{ cliVersion: version, folder, stateApi: appUrl, answersFile: customers.file },
    ...{ manifest: manifestView, instance: viewInstance(emulator), settings },
    customers: listCustomers(emulator),
    ...{ calls: history.calls(), reads: history.reads(), log: history.log() },
    drills: [...drills.values()],
  };
}

export function viewInstance({ app, runner }: Emulator): DevInstance {
  return { ...app.status(), how: runner.how, what: runner.what };
}
