/** Reads JSON values of unknown shape. */
export type Path = readonly (string | number)[];

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own member or item; never an inherited one. */
export function getMember(value: unknown, key: string | number): unknown {
  if (Array.isArray(value)) return typeof key === "number" ? (value[key] as unknown) : undefined;
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(getMember, value);
}

/** Compares two JSON values and ignores the order of members. Recursive: both must be as shallow as a manifest. */
export function sameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false;
    return one.every((item, index) => sameValue(item, other[index]));
  }
  if (!isRecord(one) || !isRecord(other)) return false;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every((key) => Object.hasOwn(other, key) && sameValue(one[key], other[key]));
}

// Pairs the items of an old and a new list, and finds which moved.

/** What identifies a list item: its name, path or value, or the item itself if it is a string. */
export function getIdentity(item: unknown): string | undefined {
  if (typeof item === "string") return item;
  const known = ["name", "path", "value"].map((key) => getMember(item, key));
  return known.find((value) => typeof value === "string");
}

/** For each new item, the index of the old one: the same item, otherwise the same identity, otherwise the same index. */
export function pairItems(old: readonly unknown[], value: readonly unknown[]): (number | undefined)[] {
  const from = new Array<number | undefined>(value.length).fill(undefined);
  const left = new Set(old.keys());
  const take = (index: number, old: number | undefined) => {
    if (old === undefined || from[index] !== undefined || !left.delete(old)) return;
    from[index] = old;
  };
  value.forEach((item, index) => {
    if (index < old.length && sameValue(old[index], item)) take(index, index);
  });
  const sources = indexesBy(old, left, (item) => JSON.stringify(item));
  value.forEach((item, index) => {
    if (from[index] === undefined) take(index, sources.get(JSON.stringify(item))?.shift());
  });
  const identities = indexesBy(old, left, getIdentity);
  value.forEach((item, index) => {
    const identity = from[index] === undefined ? getIdentity(item) : undefined;
    if (identity !== undefined) take(index, identities.get(identity)?.shift());
  });
  value.forEach((_, index) => take(index, index));
  return from;
}

function indexesBy(
  old: readonly unknown[],
  left: ReadonlySet<number>,
  toKey: (item: unknown) => string | undefined,
): Map<string, number[]> {
  const indexes = new Map<string, number[]>();
  for (const index of left) {
    const key = toKey(old[index]);
    if (key === undefined) continue;
    const same = indexes.get(key);
    if (same === undefined) indexes.set(key, [index]);
    else same.push(index);
  }
  return indexes;
}

/**
 * The smallest set of items that moved: those outside a longest run that kept its order. `from` contains, in the new
 * order, the old index of each item.
 */
export function movedItems(from: readonly number[]): Set<number> {
  const tails: number[] = [];
  const before: number[] = [];
  from.forEach((old, at) => {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((from[tails[middle] ?? 0] ?? 0) < old) low = middle + 1;
      else high = middle;
    }
    before[at] = tails[low - 1] ?? -1;
    tails[low] = at;
  });
  const kept = new Set<number>();
  for (let at = tails.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) kept.add(at);
  return new Set([...from.keys()].filter((at) => !kept.has(at)));
}
