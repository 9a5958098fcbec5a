"use client";

import { createContext, type ReactNode, use, useEffect, useState } from "react";
import { useStore } from "zustand";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { DevEventData, DevEventName, DevSnapshot } from "../../dev/contract/snapshot";

const StoreContext = createContext<DevStore | undefined>(undefined);

/** Follows the emulator as long as the page is open. */
export function FollowEmulator({ children }: { children: ReactNode }) {
  const [store] = useState(createDevStore);
  useEffect(() => followEmulator(store), [store]);
  return <StoreContext value={store}>{children}</StoreContext>;
}

function useDevStore(): DevStore {
  const store = use(StoreContext);
  if (store === undefined) throw new Error("FollowEmulator is missing");
  return store;
}

export function useConnection() {
  return useStore(useDevStore(), ({ connection }) => connection);
}

export function useHasSnapshot(): boolean {
  return useStore(useDevStore(), ({ snapshot }) => snapshot !== undefined);
}

/** A part of what the emulator reported last. Only for what is drawn after `useHasSnapshot`. */
export function useDev<Name extends keyof DevSnapshot>(name: Name): DevSnapshot[Name] {
  return useStore(useDevStore(), ({ snapshot }) => {
    if (snapshot === undefined) throw new Error("There is no snapshot yet");
    return snapshot[name];
  });
}

interface DevState {
  /** lost: `platform-app dev` doesn't answer. What it said last stays on the page. */
  connection: "connecting" | "live" | "lost";
  /** Undefined before the first connection. */
  snapshot: DevSnapshot | undefined;
}

type DevStore = StoreApi<DevState>;

const RETRY_MS = 1_000;
/** A flood of log lines is drawn together. */
const BATCH_MS = 50;

function createDevStore(): DevStore {
  return createStore<DevState>(() => ({ connection: "connecting", snapshot: undefined }));
}

/** Follows the emulator's stream, and connects again when it ends. Returns a function that stops. */
function followEmulator(store: DevStore): () => void {
  let source: EventSource | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let drawing: ReturnType<typeof setTimeout> | undefined;
  /** Ahead of what is drawn. Empty until the stream has sent its snapshot. */
  let newest: DevSnapshot | undefined;

  const draw = () => {
    clearTimeout(drawing);
    drawing = undefined;
    if (newest !== undefined) store.setState({ connection: "live", snapshot: newest });
  };
  const listen = <Name extends ChangeName>(to: EventSource, name: Name) =>
    to.addEventListener(name, ({ data }: MessageEvent<string>) => {
      if (newest === undefined) return;
      const change: DevEventData[Name] = JSON.parse(data);
      newest = applyEvent(newest, name, change);
      drawing ??= setTimeout(draw, BATCH_MS);
    });
  const connect = () => {
    const opened = new EventSource("/api/dev/stream");
    source = opened;
    opened.addEventListener("snapshot", ({ data }: MessageEvent<string>) => {
      const snapshot: DevSnapshot = JSON.parse(data);
      newest = snapshot;
      draw();
    });
    for (const name of CHANGE_NAMES) listen(opened, name);
    opened.addEventListener("error", () => {
      // Browsers differ in when they try again, so they don't.
      opened.close();
      draw();
      newest = undefined;
      store.setState({ connection: "lost" });
      retry = setTimeout(connect, RETRY_MS);
    });
  };
  connect();
  return () => {
    source?.close();
    clearTimeout(retry);
    clearTimeout(drawing);
  };
}

/** As many as a snapshot contains. */
const MOST = { calls: 200, reads: 200, log: 1_000 };

/** Everything in the stream but its first event. */
type ChangeName = Exclude<DevEventName, "snapshot">;

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

/** What a change that the emulator reports makes of the page's state. */
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

const CHANGE_NAMES = [
  ...(["manifest", "instance", "settings", "customers"] as const),
  ...(["call", "read", "drill", "log"] as const),
] satisfies ChangeName[];
