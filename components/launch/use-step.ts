"use client";

import { usePathname, useSearchParams } from "next/navigation";

/** The step in the address, so that the browser's Back goes one step back. */
export function useStep(ids: string[], furthest: number): [current: number, open: (index: number) => void] {
  const pathname = usePathname();
  const search = useSearchParams();
  const wanted = Math.max(0, ids.indexOf(search.get("step") ?? ""));
  // An address from before a reload may be ahead of what is answered.
  const current = Math.min(wanted, furthest);
  const open = (index: number) => {
    const query = new URLSearchParams(search);
    query.set("step", ids[index] ?? "");
    window.history.pushState(null, "", `${pathname}?${query}`);
    window.scrollTo({ top: 0 });
  };
  return [current, open];
}
