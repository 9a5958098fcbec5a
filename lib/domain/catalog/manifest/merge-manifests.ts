/** Three-way merge of two edited versions of one manifest text. */
import { pointerTo } from "@/lib/contract/platform/problem";
import { editText } from "../../platform/json-text/edit-text";
import { getIdentity, getMember, isRecord, type Path, sameValue } from "../../platform/json-text/json-value";
import { editableValue } from "./outline-manifest";

interface MergedManifest {
  text: string;
  /** Values that both sides changed differently: the text contains mine. */
  conflicts: { pointer: string; mine: unknown; theirs: unknown }[];
}

/** Undefined if one of the three can only be edited as text: then the user chooses one of the texts. */
export function mergeManifests(base: string, mine: string, theirs: string): MergedManifest | undefined {
  const [one, my, their] = [editableValue(base), editableValue(mine), editableValue(theirs)];
  if (one === undefined || my === undefined || their === undefined) return undefined;
  const { value, conflicts } = mergeValues(one, my, their);
  return {
    // Edits their text, so that their layout stays wherever I changed nothing.
    text: editText(theirs, { type: "set", path: [], value }),
    conflicts: conflicts.map(({ path, ...both }) => ({ pointer: pointerTo(...path), ...both })),
  };
}

interface MergeConflict {
  path: Path;
  mine: unknown;
  theirs: unknown;
}

interface MergedValue {
  value: unknown;
  conflicts: MergeConflict[];
}

/** Merges objects by key and lists by the identity of their items; `undefined` means absent. Mine wins conflicts. */
function mergeValues(base: unknown, mine: unknown, theirs: unknown): MergedValue {
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
    const merged = mergeValues(getMember(base, key), getMember(mine, key), getMember(theirs, key));
    conflicts.push(...within(key, merged.conflicts));
    return merged.value === undefined ? [] : [[key, merged.value] as const];
  });
  // Not by assignment, because a key may be `__proto__`.
  return { value: Object.fromEntries(members), conflicts };
}

/** Undefined if the items of one list cannot be distinguished. */
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
  const indexes = new Map(order.map((identity, index) => [identity, index]));
  const theirIndexes = new Map([...their.keys()].map((identity, index) => [identity, index]));
  const conflicts = [...merged].flatMap(([identity, item]) =>
    within(indexes.get(identity) ?? theirIndexes.get(identity) ?? 0, item.conflicts),
  );
  return { value: order.map((identity) => merged.get(identity)?.value), conflicts };
}

/** Their order, unless only I changed it. Items that only the other list has follow the item they follow there. */
function mergedOrder(base: readonly string[], mine: readonly string[], theirs: readonly string[]): string[] {
  const [my, their] = [new Set(mine), new Set(theirs)];
  const shared = new Set(base.filter((identity) => my.has(identity) && their.has(identity)));
  const sharedOrder = (list: readonly string[]) => list.filter((identity) => shared.has(identity));
  const onlyMine =
    sameValue(sharedOrder(base), sharedOrder(theirs)) && !sameValue(sharedOrder(base), sharedOrder(mine));
  const [first, second] = onlyMine ? [mine, theirs] : [theirs, mine];
  const present = new Set(first);
  /** What follows each item of the first list; `undefined`: at the start. */
  const followersBy = new Map<string | undefined, string[]>();
  let followers: string[] = [];
  followersBy.set(undefined, followers);
  for (const identity of second) {
    if (present.has(identity)) followersBy.set(identity, (followers = []));
    else followers.push(identity);
  }
  return [
    ...(followersBy.get(undefined) ?? []),
    ...first.flatMap((it) => [it, ...(followersBy.get(it) ?? [])]),
  ];
}

function byIdentity(list: readonly unknown[]): Map<string, unknown> | undefined {
  const found = new Map<string, unknown>();
  for (const item of list) {
    const identity = getIdentity(item);
    if (identity === undefined || found.has(identity)) return undefined;
    found.set(identity, item);
  }
  return found;
}

function within(part: string | number, conflicts: readonly MergeConflict[]): MergeConflict[] {
  return conflicts.map((conflict) => ({ ...conflict, path: [part, ...conflict.path] }));
}
