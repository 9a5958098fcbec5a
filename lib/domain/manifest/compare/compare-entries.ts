/** What differs in one entry of a manifest. */

import { changedKeys, toDetail, type MemberDetail, shorten } from "./compare-members";
import { isRecord, getMember, sameValue } from "../../json-text/json-value";
import type { EntryKind } from "../outline/entry";
import { movedItems } from "../../json-text/pair-items";

/** Members that the code in the image depends on. The others are only displayed. */
const USED_BY_CODE: Record<EntryKind, ReadonlySet<string>> = {
  setting: new Set(["name", "type", "required", "sensitive"]),
  mapping: new Set(["name", "required", "format"]),
  webhook: new Set(["path", "events"]),
  autofill: new Set(["path", "operations"]),
  rater: new Set(["path"]),
  endpoint: new Set(["path", "methods", "access"]),
  lifecycle: new Set(),
};

export function entryDetails(kind: EntryKind, before: unknown, after: unknown) {
  const details: MemberDetail[] = [];
  if (sameValue(before, after)) return { details, affectsCode: false };
  let affectsCode = false;
  const isEntry = isRecord(before) || isRecord(after);
  // An entry that should be an object but is not is compared as a whole.
  if (!isEntry && kind !== "lifecycle")
    return { details: [toDetail("entry", before, after)], affectsCode: true };
  for (const key of changedKeys(before, after)) {
    const [one, other] = [getMember(before, key), getMember(after, key)];
    if (kind === "setting" && key === "values") {
      const values = compareValues(one, other);
      details.push(...values.details);
      affectsCode ||= values.changesStored;
    } else {
      details.push(toDetail(key, one, other));
      affectsCode ||= USED_BY_CODE[kind].has(key);
    }
  }
  return { details, affectsCode };
}

export function getTitle(kind: EntryKind, value: unknown): string | undefined {
  const title = getMember(value, kind === "rater" ? "name" : "title");
  return typeof title === "string" && title.trim() !== "" ? shorten(title) : undefined;
}

interface ValuesDifference {
  details: MemberDetail[];
  /** A value was added or removed, so what is stored can differ. */
  changesStored: boolean;
}

/** Compares the values of a Select: one detail per value. */
function compareValues(before: unknown, after: unknown): ValuesDifference {
  const [one, other] = [byValue(before), byValue(after)];
  if (one === undefined || other === undefined) {
    return { details: [toDetail("values", listTexts(before), listTexts(after))], changesStored: true };
  }
  const removed = [...one.keys()].filter((value) => !other.has(value));
  const added = [...other.keys()].filter((value) => !one.has(value));
  const details = [
    ...[...other].flatMap(([value, item]) => valueDetails(value, one.get(value), item)),
    ...removed.map((value) => toDetail(valueLabel(value), getText(one.get(value)), undefined)),
    ...orderDetails(one, other),
  ];
  return { details, changesStored: removed.length > 0 || added.length > 0 };
}

function valueDetails(value: string, before: unknown, after: unknown): MemberDetail[] {
  if (before === undefined) return [toDetail(valueLabel(value), undefined, getText(after))];
  if (sameValue(before, after)) return [];
  return changedKeys(before, after).map((key) =>
    toDetail(
      key === "text" ? valueLabel(value) : `${valueLabel(value)}, ${key}`,
      getMember(before, key),
      getMember(after, key),
    ),
  );
}

function orderDetails(before: Map<string, unknown>, after: Map<string, unknown>): MemberDetail[] {
  const positions = new Map([...before.keys()].map((value, index) => [value, index]));
  const common = [...after.keys()].filter((value) => positions.has(value));
  const moved = movedItems(common.map((value) => positions.get(value) ?? 0));
  if (moved.size === 0) return [];
  const earlier = [...before.keys()].filter((value) => after.has(value));
  return [toDetail("order of values", earlier.join(", "), common.join(", "))];
}

/** Undefined unless it is a list of objects with distinct values. */
function byValue(values: unknown): Map<string, unknown> | undefined {
  if (!Array.isArray(values)) return undefined;
  const found = new Map<string, unknown>();
  for (const item of values as unknown[]) {
    const value = getMember(item, "value");
    if (typeof value !== "string" || found.has(value)) return undefined;
    found.set(value, item);
  }
  return found;
}

function listTexts(values: unknown): unknown {
  if (!Array.isArray(values)) return values;
  return values.map((item: unknown) => (isRecord(item) ? getText(item) : JSON.stringify(item))).join(", ");
}

function getText(item: unknown): string {
  const text = getMember(item, "text") ?? getMember(item, "value");
  return typeof text === "string" ? text : JSON.stringify(text ?? item ?? "");
}

function valueLabel(value: string): string {
  return shorten(`value "${value}"`);
}
