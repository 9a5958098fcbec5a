/** Which entry of the text before is which of the text now. */
import type { Entry, Outline } from "./entry";
import { memberOf, valueAt } from "./finding";
import type { EntryPlace } from "./read-places";

interface Found extends EntryPlace {
  source: string;
  value: unknown;
}

/** Recognised by source, then by name or path, then by place. What kept its source keeps its value's object too. */
export function matchEntries(
  text: string,
  value: unknown,
  places: readonly EntryPlace[],
  previous: Outline | undefined,
): Pick<Outline, "entries" | "nextId"> {
  const sourceIn = (of: string, { offset, length }: EntryPlace) => of.slice(offset, offset + length);
  const found = places.map((place): Found => ({
    ...place,
    source: sourceIn(text, place),
    value: valueAt(value, place.path),
  }));
  const before = (previous?.entries ?? []).map((entry): Found => ({
    ...entry,
    source: sourceIn(previous?.entriesText ?? "", entry),
  }));
  const pairs = pairUp(found, before);
  let nextId = previous?.nextId ?? 1;
  const entries = found.map((now, at): Entry => {
    const { source, ...place } = now;
    const pair = pairs[at];
    const entry = pair === undefined ? undefined : previous?.entries[pair];
    if (pair === undefined || entry === undefined) return { ...place, id: `entry-${nextId++}` };
    return before[pair]?.source === source ? placedAt(entry, place) : { ...place, id: entry.id };
  });
  return { entries, nextId };
}

/** The entry at another place, with the same value; the same object when it is the same place. */
export function placedAt(entry: Entry, place: EntryPlace): Entry {
  const { index, offset, length, path } = place;
  if (entry.index === index && entry.offset === offset && entry.length === length) return entry;
  return { ...entry, path: entry.index === index ? entry.path : path, index, offset, length };
}

/** For each entry the place of its pair in `before`. Every step is linear: entries may have sources of 10 KB. */
function pairUp(found: readonly Found[], before: readonly Found[]): (number | undefined)[] {
  const pairs = new Array<number | undefined>(found.length).fill(undefined);
  const taken = new Set<number>();
  const pairBy = (keyOf: (entry: Found) => string | undefined) => {
    const known = new Map<string, number[]>();
    for (let at = before.length - 1; at >= 0; at -= 1) {
      const entry = before[at];
      const key = entry === undefined || taken.has(at) ? undefined : keyOf(entry);
      if (key === undefined) continue;
      const same = known.get(key);
      if (same === undefined) known.set(key, [at]);
      else same.push(at);
    }
    if (known.size === 0) return;
    found.forEach((entry, at) => {
      const key = pairs[at] === undefined ? keyOf(entry) : undefined;
      const pair = key === undefined ? undefined : known.get(key)?.pop();
      if (pair === undefined) return;
      pairs[at] = pair;
      taken.add(pair);
    });
  };
  pairUnmoved(found, before, pairs, taken);
  pairBy(({ kind, source }) => `${kind} ${source}`);
  pairBy(({ kind, value }) => {
    const name = memberOf(value, "name") ?? memberOf(value, "path");
    return typeof name === "string" ? `${kind} ${name}` : undefined;
  });
  pairBy(({ kind, index }) => `${kind} ${index}`);
  return pairs;
}

/** Most entries, at the cost of a comparison; and among those that are alike, the one in the same place. */
function pairUnmoved(
  found: readonly Found[],
  before: readonly Found[],
  pairs: (number | undefined)[],
  taken: Set<number>,
): void {
  const placeOf = ({ kind, index }: Found) => `${kind} ${index}`;
  const known = new Map(before.map((entry, at) => [placeOf(entry), at]));
  found.forEach((entry, at) => {
    const pair = known.get(placeOf(entry));
    if (pair === undefined || before[pair]?.source !== entry.source) return;
    pairs[at] = pair;
    taken.add(pair);
  });
}
