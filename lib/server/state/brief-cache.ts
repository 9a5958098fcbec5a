/**
 * A cache of secrets for a moment. An entry is found for `lifeMs`, and is let go of soon after, whether or not anyone asks
 * again: entries live in two generations, and dropping one is dropping a map, without a timer for each entry.
 */
export interface BriefCache<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  /** Says how large an entry has become, so that all entries together stay within `maxBytes`. */
  grow(bytes: number): void;
  delete(key: string): void;
}

interface Limits {
  lifeMs: number;
  maxEntries: number;
  maxBytes: number;
  now?: () => number;
}

export function createBriefCache<Value>({
  lifeMs,
  maxEntries,
  maxBytes,
  now = () => performance.now(),
}: Limits): BriefCache<Value> {
  let young = new Map<string, { value: Value; addedAt: number }>();
  let old: typeof young = new Map();
  let youngBytes = 0;
  let timer: NodeJS.Timeout | undefined;

  function turn(): void {
    old = young;
    young = new Map();
    youngBytes = 0;
    if (old.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    get: (key) => {
      const found = young.get(key) ?? old.get(key);
      // The timer is late when the process is busy.
      return found !== undefined && now() - found.addedAt < lifeMs ? found.value : undefined;
    },
    set: (key, value) => {
      if (young.size >= maxEntries / 2) turn();
      young.set(key, { value, addedAt: now() });
      timer ??= setInterval(turn, lifeMs / 2).unref();
    },
    grow: (bytes) => {
      youngBytes += bytes;
      if (youngBytes > maxBytes / 2) turn();
    },
    delete: (key) => {
      young.delete(key);
      old.delete(key);
    },
  };
}
