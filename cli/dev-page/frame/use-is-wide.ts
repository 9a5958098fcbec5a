import { useSyncExternalStore } from "react";

/** Room for two columns: Tailwind's `xl`. */
const wide = matchMedia("(min-width: 80rem)");

function subscribe(listener: () => void): () => void {
  wide.addEventListener("change", listener);
  return () => wide.removeEventListener("change", listener);
}

export function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, () => wide.matches);
}
