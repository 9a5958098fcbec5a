"use client";

import { useSyncExternalStore } from "react";

const never = () => () => {};

/** False on the server and until React has taken the page over: what is pressed before that does nothing yet. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
