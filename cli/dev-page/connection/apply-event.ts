/** What a change that the emulator reports makes of the page's state. Pure. */
import type { DevEventData, DevEventName, DevSnapshot } from "@/cli/dev/contract/snapshot";

/** As many as a snapshot contains. */
const MOST = { calls: 200, reads: 200, log: 1_000 };

/** Everything in the stream but its first event. */
export type ChangeName = Exclude<DevEventName, "snapshot">;

type Appliers = {
  [Name in ChangeName]: (before: DevSnapshot, data: DevEventData[Name]) => DevSnapshot;
};

const APPLIERS: Appliers = {
  manifest: (before, manifest) => ({ ...before, manifest }),
  instance: (before, instance) => ({ ...before, instance }),
  settings: (before, settings) => ({ ...before, settings }),
  customers: (before, customers) => ({ ...before, customers }),
  call: (before, call) => ({ ...before, calls: putFirst(before.calls, call, MOST.calls) }),
  read: (before, read) => ({
    ...before,
    reads: putFirst(before.reads, read, MOST.reads),
    // The call reports its reads when it ends. Until then, they are shown as they arrive.
    calls: before.calls.map((call) =>
      call.id === read.callId && !call.done
        ? { ...call, reads: putFirst(call.reads, read, MOST.reads) }
        : call,
    ),
  }),
  drill: (before, drill) => ({
    ...before,
    drills: before.drills.map((each) => (each.name === drill.name ? drill : each)),
  }),
  log: (before, line) => ({ ...before, log: [...before.log, line].slice(-MOST.log) }),
};

export function applyEvent<Name extends ChangeName>(
  before: DevSnapshot,
  name: Name,
  data: DevEventData[Name],
): DevSnapshot {
  return APPLIERS[name](before, data);
}

/** Replaces the one with its id, or puts it first. */
function putFirst<Item extends { id: string }>(items: readonly Item[], item: Item, most: number): Item[] {
  return items.some(({ id }) => id === item.id)
    ? items.map((each) => (each.id === item.id ? item : each))
    : [item, ...items].slice(0, most);
}

export const CHANGE_NAMES = [
  ...(["manifest", "instance", "settings", "customers"] as const),
  ...(["call", "read", "drill", "log"] as const),
] satisfies ChangeName[];
