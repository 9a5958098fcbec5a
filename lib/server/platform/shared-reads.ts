import { LRUCache } from "lru-cache";

/**
 * Reads that several callers share: while one is in progress or fresh, everybody who asks for the same key gets its result. A failed
 * one is forgotten.
 * @param freshMs how long a result is good, unless the read says otherwise
 * @returns a function that reads, or takes part in an earlier read
 */
export function shareReads<Value>({ max, freshMs }: { max: number; freshMs: number }) {
  const known = new LRUCache<string, Promise<Value>>({ max, ttl: freshMs });
  return (key: string, read: () => Promise<Value>, ttl = freshMs): Promise<Value> => {
    const shared = known.get(key);
    if (shared !== undefined) return shared;
    const reading = read();
    known.set(key, reading, { ttl });
    reading.catch(() => {
      if (known.peek(key) === reading) known.delete(key);
    });
    return reading;
  };
}
