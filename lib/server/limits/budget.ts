/** Divides an amount (bytes) between keys. Unlike places of a share, amounts differ, and nobody waits for one. */
export interface Budget {
  /** Takes the amount, or nothing and returns whose bound it would exceed: the key's own, or that of all keys. */
  take: (key: string, amount: number) => "key" | "total" | undefined;
  give: (key: string, amount: number) => void;
}

export function createBudget({ total, perKey }: { total: number; perKey: number }): Budget {
  const keys = new Map<string, number>();
  let taken = 0;
  return {
    take: (key, amount) => {
      const own = keys.get(key) ?? 0;
      if (own + amount > perKey) return "key";
      if (taken + amount > total) return "total";
      taken += amount;
      keys.set(key, own + amount);
      return undefined;
    },
    give: (key, amount) => {
      const own = (keys.get(key) ?? 0) - amount;
      taken -= amount;
      if (own > 0) keys.set(key, own);
      else keys.delete(key);
    },
  };
}
