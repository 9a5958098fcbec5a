/** What changed among the values that a Select offers: one line for each value, not two lists to compare by eye. */
import { changedKeys, detailOf, shorten, type MemberDetail } from "./compare-members";
import { isRecord, memberOf } from "./finding";
import { movedItems } from "./moved-items";
import { sameValue } from "./same-value";

export interface ValuesDifference {
  details: MemberDetail[];
  /** What is stored can differ: a value came or went. */
  changesStored: boolean;
}

export function compareValues(before: unknown, after: unknown): ValuesDifference {
  const [one, other] = [byValue(before), byValue(after)];
  if (one === undefined || other === undefined) {
    return { details: [detailOf("values", textsOf(before), textsOf(after))], changesStored: true };
  }
  const removed = [...one.keys()].filter((value) => !other.has(value));
  const added = [...other.keys()].filter((value) => !one.has(value));
  const details = [
    ...[...other].flatMap(([value, item]) => changesOf(value, one.get(value), item)),
    ...removed.map((value) => detailOf(labelOf(value), textOf(one.get(value)), undefined)),
    ...orderDetails(one, other),
  ];
  return { details, changesStored: removed.length > 0 || added.length > 0 };
}

function changesOf(value: string, before: unknown, after: unknown): MemberDetail[] {
  if (before === undefined) return [detailOf(labelOf(value), undefined, textOf(after))];
  if (sameValue(before, after)) return [];
  return changedKeys(before, after).map((key) =>
    detailOf(
      key === "text" ? labelOf(value) : `${labelOf(value)}, ${key}`,
      memberOf(before, key),
      memberOf(after, key),
    ),
  );
}

function orderDetails(before: Map<string, unknown>, after: Map<string, unknown>): MemberDetail[] {
  const places = new Map([...before.keys()].map((value, place) => [value, place]));
  const common = [...after.keys()].filter((value) => places.has(value));
  const moved = movedItems(common.map((value) => places.get(value) ?? 0));
  if (moved.size === 0) return [];
  const earlier = [...before.keys()].filter((value) => after.has(value));
  return [detailOf("order of values", earlier.join(", "), common.join(", "))];
}

/** Undefined for what is no list of records that each have a `value` of their own. */
function byValue(values: unknown): Map<string, unknown> | undefined {
  if (!Array.isArray(values)) return undefined;
  const found = new Map<string, unknown>();
  for (const item of values as unknown[]) {
    const value = memberOf(item, "value");
    if (typeof value !== "string" || found.has(value)) return undefined;
    found.set(value, item);
  }
  return found;
}

function textsOf(values: unknown): unknown {
  if (!Array.isArray(values)) return values;
  return values.map((item: unknown) => (isRecord(item) ? textOf(item) : JSON.stringify(item))).join(", ");
}

function textOf(item: unknown): string {
  const text = memberOf(item, "text") ?? memberOf(item, "value");
  return typeof text === "string" ? text : JSON.stringify(text ?? item ?? "");
}

function labelOf(value: string): string {
  return shorten(`value "${value}"`);
}
