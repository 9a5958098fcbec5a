"use client";

import { type InfiniteData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { callApi } from "@/lib/client/api";
import type { CallPage } from "@/lib/contract/call-log";
import { type CallFilter, toCallQuery } from "@/lib/contract/call-filter";

/** A page that the server read with the page, and the filter it was read with. */
export interface FirstPage {
  page: CallPage;
  filter: CallFilter;
}

type Pages = InfiniteData<CallPage, string | null>;

const FIRST_PAGE: string | null = null;

/** Lists of deliveries have no live updates, so they are read again. */
const DELIVERIES_MS = 5_000;

export function listsDeliveries({ state }: CallFilter): boolean {
  return state === "waiting" || state === "dead";
}

const callLogKey = (filter: CallFilter) => ["calls", "list", toCallQuery(filter).toString()] as const;

/** All calls that a filter shows, page by page. */
export function useCallLog(filter: CallFilter, first?: FirstPage) {
  const isFirst =
    first !== undefined && toCallQuery(first.filter).toString() === toCallQuery(filter).toString();
  return useInfiniteQuery({
    queryKey: callLogKey(filter),
    queryFn: ({ pageParam, signal }) => {
      const query = toCallQuery(filter);
      if (pageParam !== null) query.set("before", pageParam);
      return callApi("GET", `/api/calls${query.size === 0 ? "" : `?${query}`}`, {
        answer: async () => (await import("@/lib/contract/call-log")).callPage,
        signal,
      });
    },
    initialPageParam: FIRST_PAGE,
    getNextPageParam: ({ next }) => next,
    initialData: isFirst ? { pages: [first.page], pageParams: [null] } : undefined,
    staleTime: 30_000,
    refetchOnWindowFocus: false,
    refetchInterval: listsDeliveries(filter) ? DELIVERIES_MS : false,
  });
}

/** Changes the pages that are shown, or reads them again. */
export function useCallLogCache(filter: CallFilter) {
  const client = useQueryClient();
  const queryKey = callLogKey(filter);
  return {
    read: () => client.getQueryData<Pages>(queryKey)?.pages ?? [],
    change: (update: (pages: readonly CallPage[]) => CallPage[]) =>
      client.setQueryData<Pages>(queryKey, (data) => {
        if (data === undefined) return undefined;
        const pages = update(data.pages);
        return { pages, pageParams: data.pageParams.slice(0, pages.length) };
      }),
    reload: () => client.invalidateQueries({ queryKey }),
  };
}
