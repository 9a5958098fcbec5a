/** What an installation may do in each state. Exhaustive, so that a new state does not compile until it is handled. */
import {
  INSTALLATION_STATES,
  type InstallationState,
  type RouteKind,
} from "@/lib/contract/catalog/installation-states";
import type { Role } from "@/lib/contract/platform/role";

export const COMMANDS = ["stop", "start", "uninstall"] as const;
export type Command = (typeof COMMANDS)[number];

/** The state after a command; undefined if the command is not allowed. A worker advances from there. */
const AFTER: Record<InstallationState, Record<Command, InstallationState | undefined>> = {
  LAUNCHING: { stop: undefined, start: undefined, uninstall: "UNINSTALLING" },
  RUNNING: { stop: "STOPPING", start: undefined, uninstall: "UNINSTALLING" },
  ERROR: { stop: undefined, start: "LAUNCHING", uninstall: "UNINSTALLING" },
  STOPPING: { stop: undefined, start: undefined, uninstall: undefined },
  STOPPED: { stop: undefined, start: "LAUNCHING", uninstall: "UNINSTALLING" },
  UNINSTALLING: { stop: undefined, start: undefined, uninstall: undefined },
  UNINSTALLED: { stop: undefined, start: undefined, uninstall: undefined },
};

export function stateAfter(state: InstallationState, command: Command): InstallationState | undefined {
  return AFTER[state][command];
}

/**
 * The states from which a moderator who suspends an app stops it. Commands can't stop a launch, but an app that is dangerous
 * must not finish one.
 */
const STOPS_IN_SUSPENSION: Record<InstallationState, boolean> = {
  LAUNCHING: true,
  RUNNING: true,
  ERROR: false,
  STOPPING: false,
  STOPPED: false,
  UNINSTALLING: false,
  UNINSTALLED: false,
};

export const STOPPED_BY_SUSPENSION: readonly InstallationState[] = INSTALLATION_STATES.filter(
  (state) => STOPS_IN_SUSPENSION[state],
);

/**
 * Hooks run while an installation starts and stops, so their keys are valid then; all other keys only while it runs. Keys
 * from before the last command are never valid, because their epoch is over.
 */
const HOOK_STATES: ReadonlySet<InstallationState> = new Set([
  "LAUNCHING",
  "RUNNING",
  "STOPPING",
  "UNINSTALLING",
]);

export function mayReadState(state: InstallationState, kind: RouteKind): boolean {
  return kind === "lifecycle" ? HOOK_STATES.has(state) : isCallable(state);
}

/** Whether the core's calls may be sent to it. */
export function isCallable(state: InstallationState): boolean {
  return state === "RUNNING";
}

/** Publishers may only operate Test Launches; other installations belong to the customer's operators. */
export function mayOperate(role: Role, test: boolean): boolean {
  return role !== "publisher" || test;
}

/** What an installation that isn't used for real is called; undefined for all others. A trial is a Test Launch, too. */
export function nameTest({
  test,
  trial,
}: {
  test: boolean;
  trial: boolean;
}): "Test Launch" | "Trial" | undefined {
  if (trial) return "Trial";
  return test ? "Test Launch" : undefined;
}

export type MovingState = "LAUNCHING" | "STOPPING" | "UNINSTALLING";

/** Whether a worker is changing it, so that pages poll it often. */
export function isMoving(state: InstallationState): state is MovingState {
  return state === "LAUNCHING" || state === "STOPPING" || state === "UNINSTALLING";
}
