/** What changed between two manifests, as text for people. */
import type { Manifest } from "@/lib/contract/manifest";
import { entryDetails, getTitle } from "./compare-entries";
import { changedKeys, toDetail } from "./compare-members";
import { getMember, valueAt } from "../../json-text/json-value";
import { movedItems } from "../../json-text/pair-items";
import { ENTRY_KINDS, ENTRY_LISTS, type EntryKind } from "../outline/entry";

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
const IDENTIFIED_BY: Record<EntryKind, "name" | "path" | undefined> = {
  setting: "name",
  mapping: "name",
  webhook: "path",
  autofill: "path",
  rater: "path",
  endpoint: "path",
  lifecycle: undefined,
};

/** Lists whose order affects display only. */
const DISPLAY_ORDER_ONLY: ReadonlySet<EntryKind> = new Set(["setting", "mapping"]);

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
    needsImage: change !== "changed" || affectsCode,
  };
}

/** In the order of the list. Only the first of duplicate names counts; checked manifests have none. */
function byIdentity(kind: EntryKind, manifest: Manifest): Map<string, unknown> {
  const list = valueAt(manifest, ENTRY_LISTS[kind]);
  const found = new Map<string, unknown>();
  if (!Array.isArray(list)) return found;
  list.forEach((value: unknown, index) => {
    const key = IDENTIFIED_BY[kind];
    const known = key === undefined ? value : getMember(value, key);
    const identity = typeof known === "string" ? known : `entry ${index + 1}`;
    if (!found.has(identity)) found.set(identity, value);
  });
  return found;
}
