/** What changed between two manifests, as text for people. */
import type { Manifest } from "@/lib/contract/catalog/manifest";
import { getMember, isRecord, movedItems, sameValue, valueAt } from "../../platform/json-text/json-value";
import { changedKeys, type MemberDetail, shorten, toDetail } from "./compare-members";
import { ENTRY_KINDS, ENTRY_LISTS, type EntryKind } from "./entry";

export interface ManifestChange {
  /** `app`: the name and keys that the platform does not know. */
  kind: EntryKind | "app";
  change: "added" | "removed" | "changed" | "moved";
  /** Identifies the entry: its name, path or event. */
  name: string;
  /** The title, or the name if there is none. */
  title: string;
  /** The members that differ; values as short text, undefined if absent. */
  details: { member: string; before: string | undefined; after: string | undefined }[];
  /** The code in the image may depend on it: a manifest-only release cannot include this change. */
  needsImage: boolean;
}

/** The member that identifies an entry. Raters are identified by path, since their name is a title. */
const IDENTIFIED_BY: Record<EntryKind, readonly ("name" | "path" | "host" | "setting")[]> = {
  setting: ["name"],
  mapping: ["name"],
  webhook: ["path"],
  autofill: ["path"],
  rater: ["path"],
  endpoint: ["path"],
  lifecycle: [],
  permission: ["name"],
  host: ["host", "setting"],
};

/** Lists whose order affects display only. */
const DISPLAY_ORDER_ONLY: ReadonlySet<EntryKind> = new Set(["setting", "mapping", "permission", "host"]);

/** What the platform enforces, whatever the image does. */
const ENFORCED: ReadonlySet<EntryKind> = new Set(["permission", "host"]);

/** In the order of the newer manifest; removed entries last. The version number is not compared. */
export function compareManifests(before: Manifest, after: Manifest): ManifestChange[] {
  const changes = [
    ...appChanges(before, after),
    ...ENTRY_KINDS.flatMap((kind) => listChanges(kind, before, after)),
  ];
  const isRemoved = ({ change }: ManifestChange) => change === "removed";
  return [...changes.filter((change) => !isRemoved(change)), ...changes.filter(isRemoved)];
}

function appChanges(before: Manifest, after: Manifest): ManifestChange[] {
  const listed = new Set(Object.values(ENTRY_LISTS).map((path) => path.join(".")));
  const details = [[], ["app"], ["core"]].flatMap((path) => {
    const [one, other] = [valueAt(before, path), valueAt(after, path)];
    return changedKeys(one, other).flatMap((key) => {
      const member = [...path, key].join(".");
      const isStructure = path.length === 0 && (key === "app" || key === "core");
      if (member === "version" || listed.has(member) || isStructure) return [];
      return [toDetail(member, getMember(one, key), getMember(other, key))];
    });
  });
  if (details.length === 0) return [];
  // The image must answer the check, and can stop doing so later.
  const needsImage = details.some(
    ({ member, after }) => member === "name" || (member === "core.configurationCheck" && after === "yes"),
  );
  return [{ kind: "app", change: "changed", name: after.name, title: "App", details, needsImage }];
}

function listChanges(kind: EntryKind, before: Manifest, after: Manifest): ManifestChange[] {
  const [one, other] = [byIdentity(kind, before), byIdentity(kind, after)];
  const positions = new Map([...one.keys()].map((identity, index) => [identity, index]));
  const common = [...other.keys()].filter((identity) => positions.has(identity));
  const moved = movedItems(common.map((identity) => positions.get(identity) ?? 0));
  const movedIdentities = new Set(common.filter((_, at) => moved.has(at)));
  const newPositions = new Map([...other.keys()].map((identity, index) => [identity, index]));
  const position = (found: Map<string, number>, identity: string) => (found.get(identity) ?? 0) + 1;
  const present = [...other].flatMap(([identity, value]): ManifestChange[] => {
    const earlier = one.get(identity);
    if (!one.has(identity)) return [entryChange(kind, "added", identity, undefined, value)];
    const changed = entryChange(kind, "changed", identity, earlier, value);
    const changes = changed.details.length > 0 ? [changed] : [];
    if (!movedIdentities.has(identity)) return changes;
    const detail = toDetail("position", position(positions, identity), position(newPositions, identity));
    const needsImage = !DISPLAY_ORDER_ONLY.has(kind);
    return [...changes, { ...changed, change: "moved", details: [detail], needsImage }];
  });
  const gone = [...one].filter(([identity]) => !other.has(identity));
  return [
    ...present,
    ...gone.map(([identity, value]) => entryChange(kind, "removed", identity, value, undefined)),
  ];
}

function entryChange(
  kind: EntryKind,
  change: "added" | "removed" | "changed",
  identity: string,
  before: unknown,
  after: unknown,
): ManifestChange {
  const shown = after ?? before;
  const { details, affectsCode } = entryDetails(kind, before, after);
  return {
    kind,
    change,
    name: identity,
    title: getTitle(kind, shown) ?? identity,
    details,
    needsImage: !ENFORCED.has(kind) && (change !== "changed" || affectsCode),
  };
}

/** In the order of the list. Only the first of duplicate names counts; checked manifests have none. */
function byIdentity(kind: EntryKind, manifest: Manifest): Map<string, unknown> {
  const list = valueAt(manifest, ENTRY_LISTS[kind]);
  const found = new Map<string, unknown>();
  if (!Array.isArray(list)) return found;
  list.forEach((value: unknown, index) => {
    const keys = IDENTIFIED_BY[kind];
    const known = keys.length === 0 ? value : keys.map((key) => getMember(value, key)).find(isText);
    const identity = typeof known === "string" ? known : `entry ${index + 1}`;
    if (!found.has(identity)) found.set(identity, value);
  });
  return found;
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

// What differs in one entry of a manifest.

/** Members that the code in the image depends on. The others are only displayed. */
const USED_BY_CODE: Record<EntryKind, ReadonlySet<string>> = {
  setting: new Set(["name", "type", "required", "sensitive"]),
  mapping: new Set(["name", "required", "format"]),
  webhook: new Set(["path", "events"]),
  autofill: new Set(["path", "operations"]),
  rater: new Set(["path"]),
  endpoint: new Set(["path", "methods", "access"]),
  lifecycle: new Set(),
  permission: new Set(),
  host: new Set(),
};

function entryDetails(kind: EntryKind, before: unknown, after: unknown) {
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

function getTitle(kind: EntryKind, value: unknown): string | undefined {
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

const NOUNS = {
  app: "The app's",
  setting: "The setting",
  mapping: "The mapping field",
  webhook: "The webhook",
  autofill: "The autofill",
  rater: "The external rater",
  endpoint: "The endpoint",
  lifecycle: "The lifecycle hook",
  permission: "The permission",
  host: "The host",
} as const satisfies Record<ManifestChange["kind"], string>;

/** One sentence, for issues and the command line. */
export function describeChange({ kind, change, name, title, details }: ManifestChange): string {
  const members = details.map(({ member }) => member).join(", ");
  const known = title === "" || title === name ? `"${name}"` : `"${title}" (${name})`;
  return `${NOUNS[kind]} ${known} was ${change}${change === "changed" && members !== "" ? `: ${members}` : ""}.`;
}
