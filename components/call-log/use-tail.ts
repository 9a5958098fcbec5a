"use client";

import { type RefObject, useState } from "react";
import type { CallChanges, CallPage, CallRow } from "@/lib/contract/call-log";
import { type CallFilter, toCallQuery } from "@/lib/contract/call-filter";
import { useLive } from "@/components/live/use-live";
import { findNew, mergeCalls } from "./merge-calls";
import { useCallLogCache } from "./use-call-log";

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
