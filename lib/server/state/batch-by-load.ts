/** Work that is cheaper together. `run` gets what has come, and returns an outcome for each item, in their order. */
interface Options<Item, Result> {
  /** How many batches run at once. */
  lanes: number;
  /** The most items of a batch. */
  size: number;
  run: (items: Item[]) => Promise<PromiseSettledResult<Result>[]>;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Batches grow with the load: an item runs at once while a lane is free, and those that come while all lanes are busy share
 * the next batch. If `run` fails, all items of its batch do.
 */
export function batchByLoad<Item, Result>({
  lanes,
  size,
  run,
}: Options<Item, Result>): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let busy = 0;
  let scheduled = false;

  /** After all requests that have arrived by now. */
  function schedule(): void {
    if (scheduled || busy >= lanes || waiting.length === 0) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      void runBatch(waiting.splice(0, size));
      schedule();
    });
  }

  async function runBatch(batch: Waiting<Item, Result>[]): Promise<void> {
    busy += 1;
    try {
      const outcomes = await run(batch.map(({ item }) => item));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[index];
        if (outcome?.status === "fulfilled") resolve(outcome.value);
        else reject(outcome?.reason);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      busy -= 1;
      schedule();
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      schedule();
    });
}
