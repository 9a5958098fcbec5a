/** What happened since the start, bounded, and everybody who follows it. */
import type { DevCall, DevRead } from "../contract/calls";
import type { DevLogLine } from "../contract/instance";
import type { DevEventData, DevEventName } from "../contract/snapshot";

const KEPT = 200;
const KEPT_LINES = 1_000;

export type DevEvent = { [Name in DevEventName]: { name: Name; data: DevEventData[Name] } }[DevEventName];

export interface DevHistory {
  /** Newest first. */
  calls(): DevCall[];
  reads(): DevRead[];
  /** Oldest first. */
  log(): DevLogLine[];
  findCall(id: string): DevCall | undefined;
  putCall(call: DevCall): void;
  addRead(read: DevRead): void;
  addLine(line: Omit<DevLogLine, "id" | "at">): void;
  emit(event: DevEvent): void;
  /** Returns a function that ends it. */
  follow(listener: (event: DevEvent) => void): () => void;
}

export function createHistory(): DevHistory {
  let calls: DevCall[] = [];
  let reads: DevRead[] = [];
  let log: DevLogLine[] = [];
  let lines = 0;
  const listeners = new Set<(event: DevEvent) => void>();
  const emit = (event: DevEvent) => {
    for (const listener of listeners) listener(event);
  };
  return {
    calls: () => calls,
    reads: () => reads,
    log: () => log,
    findCall: (id) => calls.find((call) => call.id === id),
    putCall: (call) => {
      const known = calls.some(({ id }) => id === call.id);
      calls = known
        ? calls.map((each) => (each.id === call.id ? call : each))
        : [call, ...calls].slice(0, KEPT);
      emit({ name: "call", data: call });
    },
    addRead: (read) => {
      reads = [read, ...reads].slice(0, KEPT);
      emit({ name: "read", data: read });
    },
    addLine: (entry) => {
      const line = { id: lines++, at: new Date().toISOString(), ...entry };
      log = [...log, line].slice(-KEPT_LINES);
      emit({ name: "log", data: line });
    },
    emit,
    follow: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
