/** What an installation may do in each state; exhaustive, so that a new state does not compile until it is answered. */
import type { InstallationState, RouteKind } from "@/lib/contract/installation";
import type { Role } from "@/lib/contract/organization";

export const COMMANDS = ["stop", "start", "uninstall"] as const;
export type Command = (typeof COMMANDS)[number];

/** The state that a command moves to; undefined where it makes no sense. A worker moves on from there. */
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
 * Hooks run while an installation comes and goes, so their keys live then; all other keys live while it runs. Of keys from
 * before the last command none lives in any state: their epoch is over.
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

/** May the core's calls be sent to it? */
export function isCallable(state: InstallationState): boolean {
  return state === "RUNNING";
}

/** Publishers try their apps; what runs for a tenant for real is started and ended by its operators. */
export function mayOperate(role: Role, test: boolean): boolean {
  return role !== "publisher" || test;
}

export type MovingState = "LAUNCHING" | "STOPPING" | "UNINSTALLING";

/** Whether a worker is changing it, so that pages poll it often. */
export function isMoving(state: InstallationState): state is MovingState {
  return state === "LAUNCHING" || state === "STOPPING" || state === "UNINSTALLING";
}
