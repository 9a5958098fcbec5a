/** How live entries enter the pages that are shown. Pure. */
import type { LogEntry, LogPage } from "@/lib/contract/log-view";

/** Pages that are read to the end for hours keep about this many entries; older ones are loaded again when needed. */
const MOST_SHOWN = 5_000;

/** While somebody reads older entries, nothing above them may go away, so that this many are the most. */
export const MOST_READ = 20_000;

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
