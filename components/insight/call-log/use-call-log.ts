"use client";

import type { RefObject } from "react";
import { useIsAway } from "@/components/platform/availability";
import { useLive } from "@/components/platform/live";
import { type CallFilter, toCallQuery } from "@/lib/contract/calls/call-filter";
import type { CallChanges, CallPage, CallRow } from "@/lib/contract/insight/call";
import { useLivePages, useStateOf } from "../live-pages";

/** A page that the server read with the page, and the filter it was read with. */
export interface FirstPage {
  page: CallPage;
  filter: CallFilter;
}

/** Lists of deliveries have no live updates, so they are read again. */
const DELIVERIES_MS = 5_000;

export function listsDeliveries({ state }: CallFilter): boolean {
  return state === "waiting" || state === "dead";
}

interface ShownCalls {
  filter: CallFilter;
  first: FirstPage | undefined;
  list: RefObject<HTMLElement | null>;
  isPaused: boolean;
}

const NONE: readonly CallRow[] = [];

/**
 * All calls that a filter shows, page by page, live. New calls wait while the reader has scrolled down, points at the list,
 * or has the focus in it.
 */
export function useCallLog({ filter, first, list, isPaused }: ShownCalls) {
  const query = toCallQuery(filter);
  const isFirst = first !== undefined && toCallQuery(first.filter).toString() === query.toString();
  const { result, key, stream, cache } = useLivePages({
    name: "calls",
    path: "/api/calls",
    query,
    answer: async () => (await import("@/lib/contract/insight/call")).callPage,
    first: isFirst ? first.page : undefined,
    refreshMs: listsDeliveries(filter) ? DELIVERIES_MS : undefined,
  });
  const [waiting, setWaiting] = useStateOf(key, NONE);

  const onChanges = ({ calls, gone, more }: CallChanges) => {
    if (more) {
      setWaiting(NONE);
      void cache.reload();
      return;
    }
    const added = findNew(cache.read(), calls);
    const isNew = new Set(added.map(({ id }) => id));
    const isRead = isBeingRead(list.current);
    const merged = isRead ? calls.filter(({ id }) => !isNew.has(id)) : [...waiting, ...calls];
    cache.write((shown) => mergeCalls(shown, merged, gone));
    setWaiting(isRead ? replace(waiting, added, gone) : NONE);
  };
  const state = useLive({ ...stream, isPaused, onChanges });
  // Most calls come through it.
  const isGatewayAway = useIsAway("gateway");
  return {
    log: result,
    state: isGatewayAway && state === "live" ? ("frozen" as const) : state,
    /** How many calls wait. */
    held: waiting.length,
    show: () => {
      if (waiting.length > 0) {
        cache.write((shown) => mergeCalls(shown, waiting));
        setWaiting(NONE);
      }
      list.current?.parentElement?.scrollIntoView({ block: "start" });
    },
  };
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
