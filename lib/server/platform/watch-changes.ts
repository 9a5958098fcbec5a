import type { Pool } from "pg";
import { type Change, type Cursor, selectCursor } from "./live-queries";
import type { Platform } from "./platform";
import { reportFailure, reportSuccess } from "./database/repeated-failures";

/** Where live lists of one kind find what changed. A list is of one key, such as an organization. */
export interface Source {
  /** For one key and one cursor. If more changed, the list has to be loaded again. */
  most: number;
  /** Up to one more than `most` changes of each key since a cursor, and the cursor that shows them. */
  select: (
    pool: Pool,
    keys: readonly string[],
    since: Cursor,
  ) => Promise<{ cursor: Cursor; changes: Change[] }>;
}

/** What changed for one key since the previous delta. `more`: too much to list. */
export interface Delta {
  cursor: Cursor;
  changes: Change[];
  more: boolean;
}

export interface Subscription {
  /** Resolves with what changed; undefined after `waitMs`, or when the signal is aborted. */
  next: (waitMs: number, signal: AbortSignal) => Promise<Delta | undefined>;
  end: () => void;
}

export type Watch = (key: string) => Promise<Subscription>;

const POLL_MS = 1_000;
const UPDATING = "update live lists";

/** Each poll is followed by a pause of this many times its length, so watching uses at most a tenth of one connection. */
const PAUSE_PER_POLL = 9;

interface Watcher {
  key: string;
  waiting: Delta | undefined;
  wake: () => void;
}

/**
 * One poll for all live lists of a source in a process: it asks for the changes of all keys that somebody watches, and stops when
 * nobody does. If the database is down, changes are delayed, not lost.
 */
export function createWatch({ pool, log }: Pick<Platform, "pool" | "log">, source: Source): Watch {
  const watchers = new Set<Watcher>();
  /** Undefined while nobody watches. */
  let current: Promise<Cursor> | undefined;

  async function poll(since: Cursor): Promise<Cursor> {
    const watched = [...watchers];
    const { cursor, changes } = await source.select(pool, [...new Set(watched.map(({ key }) => key))], since);
    for (const watcher of watched) {
      const own = changes.filter(({ key }) => key === watcher.key);
      addTo(watcher, cursor, own, source.most);
    }
    return cursor;
  }

  async function keepPolling(first: Cursor): Promise<void> {
    let [since, pause] = [first, POLL_MS];
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      if (watchers.size === 0) break;
      const startedAt = performance.now();
      current = poll(since).then(
        (cursor) => {
          reportSuccess(log, UPDATING);
          return cursor;
        },
        (err: unknown) => {
          const message = "live lists could not be updated; trying again";
          reportFailure(log, UPDATING, { err, level: "warn", message });
          return since;
        },
      );
      since = await current;
      pause = Math.max(POLL_MS, (performance.now() - startedAt) * PAUSE_PER_POLL);
    }
    current = undefined;
  }

  return async function watch(key) {
    const watcher: Watcher = { key, waiting: undefined, wake: () => {} };
    watchers.add(watcher);
    try {
      if (current === undefined) {
        current = selectCursor(pool);
        void current.then(keepPolling, () => (current = undefined));
      }
      // A poll that is already running may not include this key.
      await current;
    } catch (error) {
      watchers.delete(watcher);
      throw error;
    }
    return {
      next: (waitMs, signal) => takeFrom(watcher, waitMs, signal),
      end: () => void watchers.delete(watcher),
    };
  };
}

function addTo(watcher: Watcher, cursor: Cursor, changes: Change[], most: number): void {
  const waiting = [...(watcher.waiting?.changes ?? []), ...changes];
  const more = watcher.waiting?.more === true || waiting.length > most;
  watcher.waiting = { cursor, changes: more ? [] : waiting, more };
  if (changes.length > 0) watcher.wake();
}

async function takeFrom(watcher: Watcher, waitMs: number, signal: AbortSignal): Promise<Delta | undefined> {
  if (watcher.waiting === undefined || (watcher.waiting.changes.length === 0 && !watcher.waiting.more))
    await new Promise<void>((resolve) => {
      const timer = setTimeout(end, waitMs);
      function end() {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        resolve();
      }
      watcher.wake = end;
      signal.addEventListener("abort", end);
      if (signal.aborted) end();
    });
  const { waiting } = watcher;
  watcher.waiting = undefined;
  return waiting;
}
