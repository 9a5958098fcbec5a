"use client";

import { type InfiniteData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useState } from "react";
import { useLive } from "@/components/platform/live";
import { callApi } from "@/lib/client/api";
import { type CallFilter, toCallQuery } from "@/lib/contract/calls/call-filter";
import type { CallChanges, CallPage, CallRow } from "@/lib/contract/insight/call";

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
        answer: async () => (await import("@/lib/contract/insight/call")).callPage,
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
function useCallLogCache(filter: CallFilter) {
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

interface Tail {
  filter: CallFilter;
  pages: readonly CallPage[] | undefined;
  list: RefObject<HTMLElement | null>;
  isPaused: boolean;
}

const NONE: readonly CallRow[] = [];

/** Keeps the list live. New calls wait while the reader has scrolled down, points at the list, or has the focus in it. */
export function useTail({ filter, pages, list, isPaused }: Tail) {
  const cache = useCallLogCache(filter);
  const key = toCallQuery(filter).toString();
  const [held, setHeld] = useState({ key, calls: NONE });
  const waiting = held.key === key ? held.calls : NONE;

  const onChanges = ({ calls, gone, more }: CallChanges) => {
    if (more) {
      setHeld({ key, calls: NONE });
      void cache.reload();
      return;
    }
    const added = findNew(cache.read(), calls);
    const isNew = new Set(added.map(({ id }) => id));
    const isRead = isBeingRead(list.current);
    const merged = isRead ? calls.filter(({ id }) => !isNew.has(id)) : [...waiting, ...calls];
    cache.change((shown) => mergeCalls(shown, merged, gone));
    setHeld({ key, calls: isRead ? replace(waiting, added, gone) : NONE });
  };
  const state = useLive({
    path: "/api/calls/stream",
    query: key,
    position: pages?.[0]?.position,
    isPaused,
    onChanges,
  });

  const merge = () => {
    if (waiting.length === 0) return;
    cache.change((shown) => mergeCalls(shown, waiting));
    setHeld({ key, calls: NONE });
  };
  const show = () => {
    merge();
    list.current?.parentElement?.scrollIntoView({ block: "start" });
  };
  return { state, held: waiting.length, show };
}

function replace(before: readonly CallRow[], added: readonly CallRow[], gone: readonly string[]): CallRow[] {
  const left = new Set([...gone, ...added.map(({ id }) => id)]);
  return [...added, ...before.filter(({ id }) => !left.has(id))];
}

/** Below the header of a phone. */
const TOP_PX = 56;

function isBeingRead(list: HTMLElement | null): boolean {
  if (list === null) return false;
  const isScrolled = list.getBoundingClientRect().top < TOP_PX;
  return isScrolled || list.matches(":hover") || list.contains(document.activeElement);
}

// How live changes enter a list that is shown. Pure.

/** A list that grows for hours keeps this many calls; older ones are loaded again when needed. */
const MOST_SHOWN = 500;

/** Changes the calls that are shown, adds new ones in their place, and drops those that are gone. */
export function mergeCalls(
  pages: readonly CallPage[],
  calls: readonly CallRow[],
  gone: readonly string[] = [],
): CallPage[] {
  const changed = new Map(calls.map((call) => [call.id, call]));
  const left = new Set(gone);
  // A later attempt changes what the earlier ones show about their delivery.
  const deliveries = new Map(
    calls.flatMap(({ delivery }) => (delivery === null ? [] : [[delivery.id, delivery]])),
  );
  const updated = pages.map((page) => ({
    ...page,
    calls: page.calls.flatMap((call) => {
      const known = changed.get(call.id) ?? call;
      const now = { ...known, delivery: deliveries.get(known.delivery?.id ?? "") ?? known.delivery };
      changed.delete(call.id);
      return left.has(call.id) ? [] : [now];
    }),
  }));
  const [first, ...rest] = updated;
  if (first === undefined) return updated;
  const oldest = first.calls.at(-1)?.id ?? "";
  // Calls older than the first page are on another page, or will be loaded with it.
  const added = [...changed.values()].filter(({ id }) => first.next === undefined || id > oldest);
  const all = [...added, ...first.calls].sort((one, other) => (one.id < other.id ? 1 : -1));
  if (rest.length > 0 || all.length <= MOST_SHOWN) return [{ ...first, calls: all }, ...rest];
  const kept = all.slice(0, MOST_SHOWN);
  return [{ ...first, calls: kept, next: kept.at(-1)?.id, searchedTo: undefined }];
}

/** The ones that are not in the list yet. */
export function findNew(pages: readonly CallPage[], calls: readonly CallRow[]): CallRow[] {
  const known = new Set(pages.flatMap((page) => page.calls.map(({ id }) => id)));
  return calls.filter(({ id }) => !known.has(id));
}
