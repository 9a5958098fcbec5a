import { setTimeout as sleep } from "node:timers/promises";
import { type FailureLog, reportFailure, reportSuccess } from "./repeated-failures";
import { sqlStateOf } from "./connect";

/**
 * Groups grow with the load: an item runs at once while a lane is free, and what arrives while all lanes run goes together into
 * the next statement. Fair between keys: each takes its turn, however many items another key has waiting.
 */

interface GroupLimits {
  /** Statements at once. */
  lanes: number;
  /** Items of one statement. */
  items: number;
  /** Bytes of one statement, unless its first item alone is larger; any number if absent. */
  bytes?: number;
  /** How long the first item waits for others. If absent, it waits for what the event loop has already read. */
  collectMs?: number;
}

interface Waiting<Item, Result> {
  item: Item;
  bytes: number;
  resolve: (result: Result) => void;
  reject: (reason: unknown) => void;
}

export interface Groups<Item, Result> {
  /** What `run` returned for this item; rejects if the group failed as a whole. */
  add: (key: string, item: Item, bytes?: number) => Promise<Result>;
}

/** @param run returns a result for each item, in order */
export function createGroups<Item, Result>(
  { lanes, items, bytes = Infinity, collectMs }: GroupLimits,
  run: (items: Item[]) => Promise<Result[]>,
): Groups<Item, Result> {
  /** In the order of their turns. A key without waiting items has no entry. */
  const queues = new Map<string, Waiting<Item, Result>[]>();
  let running = 0;
  let starting = false;

  /** One item of each key in turn. */
  function take(): Waiting<Item, Result>[] {
    const group: Waiting<Item, Result>[] = [];
    let size = 0;
    while (queues.size > 0 && group.length < items) {
      const [next] = queues;
      if (next === undefined) break;
      const [key, queue] = next;
      const [first] = queue;
      if (first === undefined || (group.length > 0 && size + first.bytes > bytes)) break;
      size += first.bytes;
      group.push(first);
      queue.shift();
      queues.delete(key);
      if (queue.length > 0) queues.set(key, queue);
    }
    return group;
  }

  async function runGroup(group: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(group.map(({ item }) => item));
      group.forEach(({ resolve, reject }, at) => {
        const result = results[at];
        if (result === undefined) reject(new Error("a group has no result for one of its items"));
        else resolve(result);
      });
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  function start(): void {
    starting = false;
    while (running < lanes && queues.size > 0) {
      running += 1;
      void runGroup(take()).finally(() => {
        running -= 1;
        start();
      });
    }
  }

  return {
    add: (key, item, size = 0) =>
      new Promise((resolve, reject) => {
        const waiting = { item, bytes: size, resolve, reject };
        const queue = queues.get(key);
        if (queue === undefined) queues.set(key, [waiting]);
        else queue.push(waiting);
        if (starting || running >= lanes) return;
        // After what the event loop has already read: requests that arrived together go together.
        starting = true;
        if (collectMs === undefined) setImmediate(start);
        else setTimeout(start, collectMs);
      }),
  };
}

/** One statement at a time: items that are added while it runs go into the next one. */
const GROUPS = { lanes: 1, items: 1_000, collectMs: 2 };

const RETRY_MS = 250;
const WRITING = "write";
/** While the database restarts. What is retried for longer has lost its lease. */
const RETRIES = 60;

/**
 * Writes items in groups. Resolves when the item is written. A write that fails because of the database's state is tried
 * again; if the database refuses a group, its items are written one by one.
 */
export function createWriter<Item>(
  log: FailureLog,
  write: (items: readonly Item[]) => Promise<void>,
): (item: Item) => Promise<void> {
  async function persist(items: readonly Item[]): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await write(items);
        reportSuccess(log, WRITING);
        return;
      } catch (error) {
        if (tries > RETRIES || !isPassing(error)) throw error;
        const message = "a write failed and will be retried";
        reportFailure(log, WRITING, { err: error, level: "warn", message, facts: { items: items.length } });
        await sleep(RETRY_MS);
      }
    }
  }

  async function writeGroup(items: readonly Item[]): Promise<PromiseSettledResult<void>[]> {
    const [together] = await Promise.allSettled([persist(items)]);
    if (together.status === "fulfilled" || items.length === 1) return items.map(() => together);
    // One item that cannot be written must not keep the others from it.
    const alone: PromiseSettledResult<void>[] = [];
    for (const item of items) alone.push(...(await Promise.allSettled([persist([item])])));
    return alone;
  }

  const groups = createGroups(GROUPS, writeGroup);
  return async (item) => {
    const outcome = await groups.add("", item);
    if (outcome.status === "rejected") throw outcome.reason;
  };
}

/** The database restarts, is unreachable, or chose this transaction to end a deadlock; nothing is wrong with the data. */
function isPassing(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === undefined || /^(?:08|40|53|55|57)/.test(state);
}
