/** Processes up to `bound` items at once. Whenever one ends, claims as many as it can process. */
export interface PoolOptions<Item> {
  bound: number;
  claim(limit: number): Promise<Item[]>;
  run(item: Item): Promise<void>;
  /** The platform failed, not the item, which stays claimed until its lease expires. */
  onError(error: unknown): void;
}

export interface Pool {
  /** Looks for work now. Cheap while it is already looking. */
  wake(): void;
  /** Claims no more. Resolves when all claimed items have ended. */
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
      for (const item of await claim(free)) process(item);
    } while (again);
  }

  function process(item: Item): void {
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
        // wake() was called after the last look.
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
