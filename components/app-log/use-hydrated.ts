"use client";

import { useSyncExternalStore } from "react";

const neverChanges = () => () => {};

/** False on the server and in the first render after it: times of day need the browser's time zone. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
}
