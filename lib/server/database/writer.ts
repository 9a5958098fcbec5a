import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { sqlStateOf } from "./connect";
import { createGroups } from "./groups";

/** One statement at a time: what ends while it runs is written by the next. */
const GROUPS = { lanes: 1, items: 1_000, collectMs: 2 };

const RETRY_MS = 250;
/** While the database restarts. What is retried for longer has lost its lease. */
const RETRIES = 60;

/**
 * Writes items in groups. Resolves when the item is written. A write that fails because of the database's state is tried
 * again; if the database refuses a group, its items are written one by one.
 */
export function createWriter<Item>(
  log: Pick<Logger, "warn">,
  write: (items: readonly Item[]) => Promise<void>,
): (item: Item) => Promise<void> {
  async function persist(items: readonly Item[]): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await write(items);
      } catch (error) {
        if (tries > RETRIES || !isPassing(error)) throw error;
        log.warn({ err: error, items: items.length }, "a write failed and will be retried");
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
