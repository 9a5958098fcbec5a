"use client";

/** One model for lists that are read page by page, the newest page first, and stay live while they are shown. */
import { type InfiniteData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { callApi } from "@/lib/client/api";
import { nameOrganization, shownOrganization } from "@/lib/client/shown-organization";

interface ListPage {
  /** Where the page of older items starts; undefined on the last page. */
  next?: string;
  /** Of the newest page: where its live changes start. */
  position?: string;
}

interface LivePages<Page extends ListPage> {
  /** What keys of all such lists start with. */
  name: string;
  /** Where pages are read. Changes are streamed below it. */
  path: string;
  /** The filter. */
  query: URLSearchParams;
  answer: () => Promise<{ parse: (value: unknown) => Page }>;
  /** As the server read it with the page that shows it. */
  first: Page | undefined;
  /** For lists without live changes. */
  refreshMs?: number;
}

const NEWEST: string | null = null;

export function useLivePages<Page extends ListPage>(list: LivePages<Page>) {
  const { name, path, query, answer, first, refreshMs = false } = list;
  const client = useQueryClient();
  const search = query.toString();
  const queryKey = [name, path, search];
  const result = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => {
      const asked = new URLSearchParams(query);
      if (pageParam !== null) asked.set("before", pageParam);
      return callApi("GET", `${path}${asked.size === 0 ? "" : `?${asked}`}`, { answer, signal });
    },
    initialPageParam: NEWEST,
    getNextPageParam: ({ next }) => next,
    initialData: first && { pages: [first], pageParams: [NEWEST] },
    staleTime: 30_000,
    refetchOnWindowFocus: false,
    // The stream of changes catches up by itself.
    refetchOnReconnect: refreshMs !== false,
    refetchInterval: refreshMs,
  });
  type Pages = InfiniteData<Page, string | null>;
  const write = (update: (pages: readonly Page[]) => Page[]) =>
    client.setQueryData<Pages>(queryKey, (data) => {
      if (data === undefined) return undefined;
      const pages = update(data.pages);
      return { pages, pageParams: data.pageParams.slice(0, pages.length) };
    });
  return {
    result,
    /** Identifies what is shown. */
    key: `${path}?${nameOrganization(search, shownOrganization())}`,
    /** For `useLive`. */
    stream: { path: `${path}/stream`, query: search, position: result.data?.pages[0]?.position },
    cache: {
      read: (): readonly Page[] => client.getQueryData<Pages>(queryKey)?.pages ?? [],
      write,
      reload: () => client.invalidateQueries({ queryKey }),
      /** Begins again with the newest page. */
      restart: () => {
        write((pages) => pages.slice(0, 1));
        return client.invalidateQueries({ queryKey });
      },
    },
  };
}

/** State that belongs to what is shown under `key`: it starts again when something else is shown. */
export function useStateOf<State>(key: string, initial: State) {
  const [kept, setKept] = useState({ key, state: initial });
  return [kept.key === key ? kept.state : initial, (state: State) => setKept({ key, state })] as const;
}
