"use client";

import { createContext, use, useEffect, useState, type ReactNode } from "react";
import { useStore } from "zustand";
import { DraftSync, type Draft, type SyncPorts, type SyncState } from "./draft-sync";
import { LocalCopies, openStorage } from "./local-copies";
import { claimTab, currentTab, findOpenTabs } from "./open-tabs";

const SyncContext = createContext<DraftSync | undefined>(undefined);

interface DraftSyncProviderProps {
  draft: Draft;
  /** Under which the browser keeps unsaved changes. */
  copyName: string;
  /** The first one is used. */
  ports: Omit<SyncPorts, "copies">;
  /** Calls `changed` after each change of the text, until the returned function is called. Must not change. */
  subscribe: (changed: () => void) => () => void;
  children: ReactNode;
}

/** Saves an editor's text for as long as it is mounted. */
export function DraftSyncProvider({ draft, copyName, ports, subscribe, children }: DraftSyncProviderProps) {
  const [{ sync, copies }] = useState(() => {
    const copies = new LocalCopies(openStorage(), copyName, currentTab);
    return { sync: new DraftSync(draft, { ...ports, copies }), copies };
  });

  useEffect(() => {
    const unsubscribe = subscribe(sync.changed);
    const unwatch = watchPage(sync);
    let isUnmounted = false;
    void (async () => {
      await claimTab();
      const isOpen = await findOpenTabs();
      if (isUnmounted) return;
      const copy = copies.find(isOpen);
      if (copy !== undefined) await sync.restore(copy);
      // A page from the browser's or the router's cache may be older than the draft.
      if (!isUnmounted) await sync.check();
    })();
    return () => {
      isUnmounted = true;
      unsubscribe();
      unwatch();
      sync.leave();
    };
  }, [subscribe, sync, copies]);

  return <SyncContext value={sync}>{children}</SyncContext>;
}

export function useSync(): DraftSync {
  const sync = use(SyncContext);
  if (sync === undefined) throw new Error("DraftSyncProvider is missing");
  return sync;
}

/** `select` must return the same object for the same state. */
export function useSyncState<Selected>(select: (state: SyncState) => Selected): Selected {
  return useStore(useSync().store, select);
}

/** Saves or checks when the page is hidden, shown, back online or closed. Returns a function that stops this. */
function watchPage(sync: DraftSync): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  const check = () => void sync.check();
  const listen = (event: string, listener: (event: Event) => void) =>
    window.addEventListener(event, listener, { signal });
  listen("focus", check);
  listen("online", () => void sync.saveNow());
  listen("pagehide", sync.leave);
  listen("beforeunload", (event) => {
    if (!sync.storeNow()) event.preventDefault();
  });
  const toggled = () => (document.visibilityState === "hidden" ? sync.leave() : check());
  document.addEventListener("visibilitychange", toggled, { signal });
  return () => controller.abort();
}
