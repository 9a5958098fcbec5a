"use client";

import { useState } from "react";
import { useLive } from "@/components/live/use-live";
import type { LogChanges, LogPage } from "@/lib/contract/log-view";
import { toQuery } from "@/lib/contract/query-values";
import { listEntries, mergeEntries, MOST_READ } from "./merge-entries";
import { logPath, type ShownLog, useLogCache } from "./use-log";

interface LogTail {
  shown: ShownLog;
  pages: readonly LogPage[] | undefined;
  isPaused: boolean;
  /** The newest entry is in view, and the list follows it. */
  isAtEnd: boolean;
}

/** Keeps the log live. What is added while somebody reads older entries is counted. */
export function useLogTail({ shown, pages, isPaused, isAtEnd }: LogTail) {
  const cache = useLogCache(shown);
  const query = toQuery(shown.filter).toString();
  const key = `${shown.versionId}?${query}`;
  const [below, setBelow] = useState({ key, count: 0, isCut: false });
  const now = below.key === key ? below : { key, count: 0, isCut: false };

  const onChanges = ({ entries, more }: LogChanges) => {
    if (more && isAtEnd) return void cache.restart();
    const known = cache.read();
    const isCut = now.isCut || more || listEntries(known).length > MOST_READ;
    if (isCut) return setBelow({ key, count: now.count + entries.length, isCut });
    const merged = mergeEntries(known, entries, { trims: isAtEnd });
    cache.write(merged.pages);
    setBelow({ key, count: isAtEnd ? 0 : now.count + merged.count, isCut });
  };
  const state = useLive({
    path: `${logPath(shown)}/stream`,
    query,
    position: pages?.[0]?.position,
    isPaused,
    onChanges,
  });
  return {
    state,
    /** How many entries were added below, at least. */
    count: isAtEnd && !now.isCut ? 0 : now.count,
    /** Forgets the count. The list is read again if entries below are missing. */
    catchUp: () => {
      setBelow({ key, count: 0, isCut: false });
      if (now.isCut) void cache.restart();
    },
  };
}
