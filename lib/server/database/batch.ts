import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { sqlStateOf } from "./connect";

const RETRY_MS = 250;
/** While the database restarts. What is retried for longer has lost its lease. */
const RETRIES = 60;

/** What comes within this time after the first item is written with it. */
const COLLECT_MS = 2;

export interface Batch<Item> {
  /** Resolves when the item is written, together with what else is there when the write before it ends. */
  add: (item: Item) => Promise<void>;
}

interface Waiting<Item> {
  item: Item;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Writes items in batches, one batch at a time: under load, what arrives during one write is the next. */
export function createBatch<Item>(
  log: Pick<Logger, "warn">,
  write: (items: readonly Item[]) => Promise<void>,
): Batch<Item> {
  let waiting: Waiting<Item>[] = [];
  let writing = false;

  async function writeAll(): Promise<void> {
    await sleep(COLLECT_MS);
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await writeBatch(batch);
    }
    writing = false;
  }

  async function writeBatch(batch: readonly Waiting<Item>[]): Promise<void> {
    try {
      await persist(batch.map(({ item }) => item));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      // One item that cannot be written must not keep the others from it.
      if (batch.length > 1) for (const one of batch) await writeBatch([one]);
      else for (const { reject } of batch) reject(error);
    }
  }

  async function persist(items: readonly Item[]): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await write(items);
      } catch (error) {
        if (tries > RETRIES || !isPassing(error)) throw error;
        log.warn({ err: error, items: items.length }, "a write failed and is tried again");
        await sleep(RETRY_MS);
      }
    }
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        if (writing) return;
        writing = true;
        void writeAll();
      }),
  };
}

/** The database restarts, is unreachable, or chose this transaction to end a deadlock; nothing is wrong with the data. */
function isPassing(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === undefined || /^(?:08|40|53|55|57)/.test(state);
}
