/** Three-way merge of JSON values: objects by key, lists by what their items are known by. `undefined` is what is absent. */
import { isRecord, memberOf, type Path } from "./finding";
import { identityOf } from "./pair-items";
import { sameValue } from "./same-value";

export interface MergeConflict {
  path: Path;
  mine: unknown;
  theirs: unknown;
}

export interface MergedValue {
  value: unknown;
  conflicts: MergeConflict[];
}

/** Where both changed something, each in its own way, mine is taken. */
export function mergeValues(base: unknown, mine: unknown, theirs: unknown): MergedValue {
  if (sameValue(mine, theirs) || sameValue(base, mine)) return { value: theirs, conflicts: [] };
  if (sameValue(base, theirs)) return { value: mine, conflicts: [] };
  if (isRecord(mine) && isRecord(theirs)) return mergeRecords(isRecord(base) ? base : {}, mine, theirs);
  if (Array.isArray(mine) && Array.isArray(theirs)) {
    const merged = mergeLists(Array.isArray(base) ? base : [], mine, theirs);
    if (merged !== undefined) return merged;
  }
  return { value: mine, conflicts: [{ path: [], mine, theirs }] };
}

function mergeRecords(
  base: Record<string, unknown>,
  mine: Record<string, unknown>,
  theirs: Record<string, unknown>,
): MergedValue {
  const conflicts: MergeConflict[] = [];
  const members = [...new Set([...Object.keys(theirs), ...Object.keys(mine)])].flatMap((key) => {
    const merged = mergeValues(memberOf(base, key), memberOf(mine, key), memberOf(theirs, key));
    conflicts.push(...within(key, merged.conflicts));
    return merged.value === undefined ? [] : [[key, merged.value] as const];
  });
  // Not by assignment: a key may be `__proto__`.
  return { value: Object.fromEntries(members), conflicts };
}

/** Undefined where the items of one of the lists cannot be told from each other. */
function mergeLists(
  base: readonly unknown[],
  mine: readonly unknown[],
  theirs: readonly unknown[],
): MergedValue | undefined {
  const [one, my, their] = [byIdentity(base), byIdentity(mine), byIdentity(theirs)];
  if (one === undefined || my === undefined || their === undefined) return undefined;
  const merged = new Map<string, MergedValue>();
  for (const identity of new Set([...their.keys(), ...my.keys()])) {
    merged.set(identity, mergeValues(one.get(identity), my.get(identity), their.get(identity)));
  }
  const order = mergedOrder([...one.keys()], [...my.keys()], [...their.keys()]).filter(
    (identity) => merged.get(identity)?.value !== undefined,
  );
  const places = new Map(order.map((identity, place) => [identity, place]));
  const theirPlaces = new Map([...their.keys()].map((identity, place) => [identity, place]));
  const conflicts = [...merged].flatMap(([identity, item]) =>
    within(places.get(identity) ?? theirPlaces.get(identity) ?? 0, item.conflicts),
  );
  return { value: order.map((identity) => merged.get(identity)?.value), conflicts };
}

/** Their order, unless only I changed it; what the other list has more goes behind what it follows there. */
function mergedOrder(base: readonly string[], mine: readonly string[], theirs: readonly string[]): string[] {
  const [my, their] = [new Set(mine), new Set(theirs)];
  const shared = new Set(base.filter((identity) => my.has(identity) && their.has(identity)));
  const orderOf = (list: readonly string[]) => list.filter((identity) => shared.has(identity));
  const onlyMine = sameValue(orderOf(base), orderOf(theirs)) && !sameValue(orderOf(base), orderOf(mine));
  const [first, second] = onlyMine ? [mine, theirs] : [theirs, mine];
  const present = new Set(first);
  /** What goes behind an item of the first list, or at the start. */
  const behind = new Map<string | undefined, string[]>();
  let followers: string[] = [];
  behind.set(undefined, followers);
  for (const identity of second) {
    if (present.has(identity)) behind.set(identity, (followers = []));
    else followers.push(identity);
  }
  return [...(behind.get(undefined) ?? []), ...first.flatMap((it) => [it, ...(behind.get(it) ?? [])])];
}

function byIdentity(list: readonly unknown[]): Map<string, unknown> | undefined {
  const found = new Map<string, unknown>();
  for (const item of list) {
    const identity = identityOf(item);
    if (identity === undefined || found.has(identity)) return undefined;
    found.set(identity, item);
  }
  return found;
}

function within(part: string | number, conflicts: readonly MergeConflict[]): MergeConflict[] {
  return conflicts.map((conflict) => ({ ...conflict, path: [part, ...conflict.path] }));
}
