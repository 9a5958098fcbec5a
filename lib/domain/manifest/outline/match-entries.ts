/** Matches the entries of a changed text with those of the text before. */
import type { Entry, Outline } from "./entry";
import { getMember, valueAt } from "../../json-text/json-value";
import type { EntryPosition } from "./entry";

interface Found extends EntryPosition {
  source: string;
  value: unknown;
}

/** Matches by source, then by name or path, then by index. An unchanged source keeps its value object too. */
export function matchEntries(
  text: string,
  value: unknown,
  positions: readonly EntryPosition[],
  previous: Outline | undefined,
): Pick<Outline, "entries" | "nextId"> {
  const sourceIn = (of: string, { offset, length }: EntryPosition) => of.slice(offset, offset + length);
  const found = positions.map((position): Found => ({
    ...position,
    source: sourceIn(text, position),
    value: valueAt(value, position.path),
  }));
  const before = (previous?.entries ?? []).map((entry): Found => ({
    ...entry,
    source: sourceIn(previous?.entriesText ?? "", entry),
  }));
  const pairs = pairUp(found, before);
  let nextId = previous?.nextId ?? 1;
  const entries = found.map((now, at): Entry => {
    const { source, ...position } = now;
    const pair = pairs[at];
    const entry = pair === undefined ? undefined : previous?.entries[pair];
    if (pair === undefined || entry === undefined) return { ...position, id: `entry-${nextId++}` };
    return before[pair]?.source === source ? withPosition(entry, position) : { ...position, id: entry.id };
  });
  return { entries, nextId };
}

/** The entry at another position, with the same value. The same object if the position is the same. */
export function withPosition(entry: Entry, position: EntryPosition): Entry {
  const { index, offset, length, path } = position;
  if (entry.index === index && entry.offset === offset && entry.length === length) return entry;
  return { ...entry, path: entry.index === index ? entry.path : path, index, offset, length };
}

/** For each entry, the index of its pair in `before`. Every step is linear: entries may have sources of 10 KB. */
function pairUp(found: readonly Found[], before: readonly Found[]): (number | undefined)[] {
  const pairs = new Array<number | undefined>(found.length).fill(undefined);
  const taken = new Set<number>();
  const pairBy = (toKey: (entry: Found) => string | undefined) => {
    const known = new Map<string, number[]>();
    for (let at = before.length - 1; at >= 0; at -= 1) {
      const entry = before[at];
      const key = entry === undefined || taken.has(at) ? undefined : toKey(entry);
      if (key === undefined) continue;
      const same = known.get(key);
      if (same === undefined) known.set(key, [at]);
      else same.push(at);
    }
    if (known.size === 0) return;
    found.forEach((entry, at) => {
      const key = pairs[at] === undefined ? toKey(entry) : undefined;
      const pair = key === undefined ? undefined : known.get(key)?.pop();
      if (pair === undefined) return;
      pairs[at] = pair;
      taken.add(pair);
    });
  };
  pairUnmoved(found, before, pairs, taken);
  pairBy(({ kind, source }) => `${kind} ${source}`);
  pairBy(({ kind, value }) => {
    const name = getMember(value, "name") ?? getMember(value, "path");
    return typeof name === "string" ? `${kind} ${name}` : undefined;
  });
  pairBy(({ kind, index }) => `${kind} ${index}`);
  return pairs;
}

/** Pairs entries with the same source at the same index: most of them, at the cost of one comparison each. */
function pairUnmoved(
  found: readonly Found[],
  before: readonly Found[],
  pairs: (number | undefined)[],
  taken: Set<number>,
): void {
  const positionKey = ({ kind, index }: Found) => `${kind} ${index}`;
  const known = new Map(before.map((entry, at) => [positionKey(entry), at]));
  found.forEach((entry, at) => {
    const pair = known.get(positionKey(entry));
    if (pair === undefined || before[pair]?.source !== entry.source) return;
    pairs[at] = pair;
    taken.add(pair);
  });
}
