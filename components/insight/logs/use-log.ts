"use client";

import { useIsAway } from "@/components/platform/availability";
import { useLive } from "@/components/platform/live";
import type { LogChanges, LogEntry, LogPage } from "@/lib/contract/insight/app-log";
import type { LogFilter } from "@/lib/contract/insight/filters";
import { toQuery } from "@/lib/contract/platform/time-range";
import { useLivePages, useStateOf } from "../live-pages";

/** What is shown: a version of a listing, and a filter. */
interface ShownLog {
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

export function logPath({ listingId, versionId }: Omit<ShownLog, "filter">): string {
  return `/api/listings/${listingId}/versions/${versionId}/logs`;
}

interface ShowsLog {
  shown: ShownLog;
  first: FirstPage;
  isPaused: boolean;
  /** The newest entry is in view, and the list follows it. */
  isAtEnd: boolean;
}

/** The newest entries first, page by page, live; each page is oldest first. What is added while somebody reads is counted. */
export function useLog({ shown, first, isPaused, isAtEnd }: ShowsLog) {
  const { versionId, filter } = shown;
  const query = toQuery(filter);
  const isFirst = first.versionId === versionId && toQuery(first.filter).toString() === query.toString();
  const { result, key, stream, cache } = useLivePages({
    name: "logs",
    path: logPath(shown),
    query,
    answer: async () => (await import("@/lib/contract/insight/app-log")).logPage,
    first: isFirst ? first.page : undefined,
  });
  const [below, setBelow] = useStateOf(key, { count: 0, isCut: false });

  const onChanges = ({ entries, more }: LogChanges) => {
    if (more && isAtEnd) return void cache.restart();
    const known = cache.read();
    const isCut = below.isCut || more || listEntries(known).length > MOST_READ;
    if (isCut) return setBelow({ count: below.count + entries.length, isCut });
    const merged = mergeEntries(known, entries, { trims: isAtEnd });
    cache.write(() => merged.pages);
    setBelow({ count: isAtEnd ? 0 : below.count + merged.count, isCut });
  };
  const state = useLive({ ...stream, isPaused, onChanges });
  // Only the worker reads what apps write.
  const isWorkerAway = useIsAway("worker");
  return {
    log: result,
    state: isWorkerAway && state === "live" ? ("frozen" as const) : state,
    /** The least number of entries that were added below. */
    count: isAtEnd && !below.isCut ? 0 : below.count,
    /** Forgets the count. The list is read again if entries below are missing. */
    catchUp: () => {
      setBelow({ count: 0, isCut: false });
      if (below.isCut) void cache.restart();
    },
  };
}

// How live entries enter the pages that are shown. Pure.

/** Pages that are read to the end for hours keep about this many entries; older ones are loaded again when needed. */
const MOST_SHOWN = 5_000;

/** While somebody reads older entries, nothing above them may go away, so that this many are the most. */
const MOST_READ = 20_000;

/** All entries of the pages, oldest first. The first page is the newest. */
export function listEntries(pages: readonly LogPage[]): LogEntry[] {
  return pages.toReversed().flatMap((page) => page.entries);
}

/**
 * Adds entries that are not there yet, each in its place. One that is older than everything that is loaded is loaded with its page.
 * @param trims whether the oldest entries may go, because nobody looks at them
 */
export function mergeEntries(
  pages: readonly LogPage[],
  added: readonly LogEntry[],
  { trims }: { trims: boolean },
): { pages: LogPage[]; count: number } {
  const known = new Set(pages.flatMap((page) => page.entries.map(({ id }) => id)));
  const fresh = added.filter(({ id }) => !known.has(id));
  const merged = pages.map((page, index) => {
    const own = fresh.filter(({ id }) => isWithin(pages, index, id));
    if (own.length === 0) return page;
    return { ...page, entries: [...page.entries, ...own].sort((one, other) => (one.id < other.id ? -1 : 1)) };
  });
  const total = merged.reduce((sum, { entries }) => sum + entries.length, 0);
  return { pages: trims && total > MOST_SHOWN ? trim(merged) : merged, count: fresh.length };
}

/** Whether an entry belongs to this page: it is newer than what the page ends with, and older than the newer page. */
function isWithin(pages: readonly LogPage[], index: number, id: string): boolean {
  const isAbove = (page: LogPage | undefined) => page?.next === undefined || id > page.next;
  return isAbove(pages[index]) && !pages.slice(0, index).some(isAbove);
}

/** Whole pages first, then a tenth more of the newest one than necessary, so that it isn't done for each line. */
function trim([newest, ...older]: readonly LogPage[]): LogPage[] {
  if (newest === undefined) return [];
  if (older.length > 0 && newest.entries.length <= MOST_SHOWN) return [newest];
  const entries = newest.entries.slice(-MOST_SHOWN * 0.9);
  return [{ ...newest, entries, next: entries[0]?.id, searchedTo: undefined }];
}
