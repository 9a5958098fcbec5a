/** Keeps up to `bound` pieces of work going: claims as many as there are free lanes, and again when one ends. */
export interface PoolOptions<Item> {
  bound: number;
  claim(limit: number): Promise<Item[]>;
  run(item: Item): Promise<void>;
  /** A fault of the platform, not of the item: it stays claimed until its lease runs out. */
  onError(error: unknown): void;
}

export interface Pool {
  /** Looks for work now. Cheap when a look is under way. */
  wake(): void;
  /** Claims no more; resolves when all that was claimed has ended. */
  drain(): Promise<void>;
}

export function createPool<Item>({ bound, claim, run, onError }: PoolOptions<Item>): Pool {
  const active = new Set<Promise<void>>();
  let looking: Promise<void> | undefined;
  let again = false;
  let closed = false;

  async function look(): Promise<void> {
    do {
      again = false;
      const free = bound - active.size;
      if (closed || free <= 0) return;
      for (const item of await claim(free)) begin(item);
    } while (again);
  }

  function begin(item: Item): void {
    const work = run(item)
      .catch(onError)
      .finally(() => {
        active.delete(work);
        wake();
      });
    active.add(work);
  }

  function wake(): void {
    again = true;
    if (closed || looking !== undefined) return;
    looking = look()
      .catch(onError)
      .finally(() => {
        looking = undefined;
        // Somebody called between the last look and here.
        if (again) wake();
      });
  }

  async function drain(): Promise<void> {
    closed = true;
    await looking;
    await Promise.all(active);
  }

  return { wake, drain };
}
