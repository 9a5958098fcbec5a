"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useEffect } from "react";

/**
 * The step in the address, so that the browser's Back goes one step back. `furthest`: the first step that is not
 * answered; not `isSure`: that is still being looked into.
 */
export function useStep(
  ids: string[],
  furthest: number,
  isSure: boolean,
): [current: number, open: (index: number) => void] {
  const pathname = usePathname();
  const search = useSearchParams();
  const wanted = Math.max(0, ids.indexOf(search.get("step") ?? ""));
  // An address from before a reload may be ahead of what is answered.
  const current = Math.min(wanted, furthest);
  const addressOf = (index: number) => {
    const query = new URLSearchParams(search);
    query.set("step", ids[index] ?? "");
    return `${pathname}?${query}`;
  };
  const mended = isSure && current < wanted ? addressOf(current) : undefined;
  useEffect(() => {
    // Else the page would leap ahead as soon as what is being typed would do.
    if (mended !== undefined) window.history.replaceState(null, "", mended);
  }, [mended]);
  const open = (index: number) => {
    window.history.pushState(null, "", addressOf(index));
    window.scrollTo({ top: 0 });
  };
  return [current, open];
}
