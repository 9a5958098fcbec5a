/** Divides an amount (bytes) between keys. Unlike places of a share, amounts differ, and nobody waits for one. */
export interface Budget {
  /** False if it would exceed a bound: then nothing is taken. */
  take: (key: string, amount: number) => boolean;
  give: (key: string, amount: number) => void;
  count: () => { taken: number; keys: number };
}

export function createBudget({ total, perKey }: { total: number; perKey: number }): Budget {
  const keys = new Map<string, number>();
  let taken = 0;
  return {
    take: (key, amount) => {
      const own = keys.get(key) ?? 0;
      if (taken + amount > total || own + amount > perKey) return false;
      taken += amount;
      keys.set(key, own + amount);
      return true;
    },
    give: (key, amount) => {
      const own = (keys.get(key) ?? 0) - amount;
      taken -= amount;
      if (own > 0) keys.set(key, own);
      else keys.delete(key);
    },
    count: () => ({ taken, keys: keys.size }),
  };
}
