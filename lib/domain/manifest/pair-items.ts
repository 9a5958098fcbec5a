/** Which item of an old list became which of a new one. */
import { memberOf } from "./finding";
import { sameValue } from "./same-value";

/** What an item of a list is known by: its name, its path, its value, or itself when it is a string. */
export function identityOf(item: unknown): string | undefined {
  if (typeof item === "string") return item;
  const known = ["name", "path", "value"].map((key) => memberOf(item, key));
  return known.find((value) => typeof value === "string");
}

/** For each new item the place of the old one: the same item, else the same identity, else the same place. */
export function pairItems(old: readonly unknown[], value: readonly unknown[]): (number | undefined)[] {
  const from = new Array<number | undefined>(value.length).fill(undefined);
  const left = new Set(old.keys());
  const take = (index: number, place: number | undefined) => {
    if (place === undefined || from[index] !== undefined || !left.delete(place)) return;
    from[index] = place;
  };
  value.forEach((item, index) => {
    if (index < old.length && sameValue(old[index], item)) take(index, index);
  });
  const sources = placesBy(old, left, (item) => JSON.stringify(item));
  value.forEach((item, index) => {
    if (from[index] === undefined) take(index, sources.get(JSON.stringify(item))?.shift());
  });
  const identities = placesBy(old, left, identityOf);
  value.forEach((item, index) => {
    const identity = from[index] === undefined ? identityOf(item) : undefined;
    if (identity !== undefined) take(index, identities.get(identity)?.shift());
  });
  value.forEach((_, index) => take(index, index));
  return from;
}

function placesBy(
  old: readonly unknown[],
  left: ReadonlySet<number>,
  keyOf: (item: unknown) => string | undefined,
): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const place of left) {
    const key = keyOf(old[place]);
    if (key === undefined) continue;
    const same = places.get(key);
    if (same === undefined) places.set(key, [place]);
    else same.push(place);
  }
  return places;
}
