"use client";

import { type InfiniteData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { callApi } from "@/lib/client/api";
import type { LogFilter } from "@/lib/contract/log-filter";
import type { LogPage } from "@/lib/contract/log-view";
import { toQuery } from "@/lib/contract/query-values";

/** What is shown: a version of a listing, and a filter. */
export interface ShownLog {
  listingId: string;
  versionId: string;
  filter: LogFilter;
}

/** A page that the server read with the page, and what it was read of. */
export interface FirstPage {
  page: LogPage;
  versionId: string;
  filter: LogFilter;
}

type Pages = InfiniteData<LogPage, string | null>;

const FIRST_PAGE: string | null = null;

export function logPath({ listingId, versionId }: ShownLog): string {
  return `/api/listings/${listingId}/versions/${versionId}/logs`;
}

const logKey = ({ versionId, filter }: Omit<ShownLog, "listingId">) =>
  ["logs", versionId, toQuery(filter).toString()] as const;

/** The newest entries first, page by page; each page is oldest first. */
export function useLog(shown: ShownLog, first: FirstPage) {
  const isFirst = logKey(first).join() === logKey(shown).join();
  return useInfiniteQuery({
    queryKey: logKey(shown),
    queryFn: ({ pageParam, signal }) => {
      const query = toQuery(shown.filter);
      if (pageParam !== null) query.set("before", pageParam);
      return callApi("GET", `${logPath(shown)}${query.size === 0 ? "" : `?${query}`}`, {
        answer: async () => (await import("@/lib/contract/log-view")).logPage,
        signal,
      });
    },
    initialPageParam: FIRST_PAGE,
    getNextPageParam: ({ next }) => next,
    initialData: isFirst ? { pages: [first.page], pageParams: [null] } : undefined,
    staleTime: 30_000,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** Changes the pages that are shown, or begins again with the newest one. */
export function useLogCache(shown: ShownLog) {
  const client = useQueryClient();
  const queryKey = logKey(shown);
  return {
    read: () => client.getQueryData<Pages>(queryKey)?.pages ?? [],
    write: (pages: LogPage[]) =>
      client.setQueryData<Pages>(
        queryKey,
        (data) => data && { pages, pageParams: data.pageParams.slice(0, pages.length) },
      ),
    restart: () => {
      client.setQueryData<Pages>(
        queryKey,
        (data) => data && { pages: data.pages.slice(0, 1), pageParams: [FIRST_PAGE] },
      );
      return client.invalidateQueries({ queryKey });
    },
  };
}
