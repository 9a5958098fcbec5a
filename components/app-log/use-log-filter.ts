"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useMemo } from "react";
import { type LogFilter, readLogFilter } from "@/lib/contract/log-filter";
import { toQuery } from "@/lib/contract/query-values";

/** The version and the filter are in the URL: Back undoes a change, and a link shows the same lines. */
export function useLogFilter() {
  const pathname = usePathname();
  const query = useSearchParams();
  const filter = useMemo(() => readLogFilter(Object.fromEntries(query)), [query]);
  const version = query.get("version") ?? undefined;
  const show = (next: LogFilter & { version?: string }) => {
    const text = toQuery(next).toString();
    window.history.pushState(null, "", text === "" ? pathname : `${pathname}?${text}`);
  };
  return {
    version,
    filter,
    change: (changed: LogFilter) => show({ version, ...filter, ...changed }),
    /** An instance belongs to one version. */
    changeVersion: (next: string) => show({ ...filter, version: next, instance: undefined }),
    clear: () => show({ version }),
    isNarrowed: Object.values(filter).some((value) => value !== undefined),
  };
}
