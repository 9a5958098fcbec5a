"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useMemo } from "react";
import { readCallFilter, type CallFilter, toCallQuery } from "@/lib/contract/call-filter";

/**
 * The filter is in the URL: Back undoes a change, and a link shows the same calls.
 * @param installation the installation that the page is about: part of its path, not of its query
 */
export function useCallFilter(installation: string | undefined) {
  const pathname = usePathname();
  const query = useSearchParams();
  const filter = useMemo(() => {
    const given = readCallFilter(Object.fromEntries(query));
    return installation === undefined ? given : { ...given, installation };
  }, [query, installation]);
  const show = (next: CallFilter) => {
    const text = toCallQuery(
      installation === undefined ? next : { ...next, installation: undefined },
    ).toString();
    window.history.pushState(null, "", text === "" ? pathname : `${pathname}?${text}`);
  };
  return {
    filter,
    change: (changed: CallFilter) => show({ ...filter, ...changed }),
    clear: () => show({}),
    isNarrowed: Object.entries(filter).some(
      ([name, value]) => value !== undefined && (name !== "installation" || installation === undefined),
    ),
  };
}
