"use client";

import { createContext, use, useEffect, useState, type ReactNode } from "react";
import { useStore } from "zustand";
import type { DevSnapshot } from "@/cli/dev/contract/snapshot";
import { createDevStore, followEmulator, type DevStore } from "./follow-emulator";

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
