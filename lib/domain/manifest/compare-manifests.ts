/** What changed between two manifests, in the words of people. */
import type { Manifest } from "@/lib/contract/manifest";
import { entryDetails, titleOf } from "./compare-entries";
import { changedKeys, detailOf } from "./compare-members";
import { memberOf, valueAt } from "./finding";
import { movedItems } from "./moved-items";
import { ENTRY_KINDS, LIST_OF, type EntryKind } from "./entry";

export interface ManifestChange {
  /** `app`: the name, the version, and keys that the platform does not know. */
  kind: EntryKind | "app";
  change: "added" | "removed" | "changed" | "moved";
  /** What an entry is known by: its name, its path, or its event. */
  name: string;
  /** What people read: the title where there is one. */
  title: string;
  /** The members that differ; values as short text, undefined where absent. */
  details: { member: string; before: string | undefined; after: string | undefined }[];
  /** The code in the image may depend on it: a release without a new image cannot make this change. */
  needsImage: boolean;
}

/** The member that an entry is known by. A rater is known by its path: its name is what people read. */
const KNOWN_BY: Record<EntryKind, "name" | "path" | undefined> = {
  setting: "name",
  mapping: "name",
  webhook: "path",
  autofill: "path",
  rater: "path",
  lifecycle: undefined,
};

/** Lists whose order only people see. */
const ORDER_IS_SHOWN: ReadonlySet<EntryKind> = new Set(["setting", "mapping"]);

/** The version number is no change. In the order of the newer manifest, what was removed last. */
export function compareManifests(before: Manifest, after: Manifest): ManifestChange[] {
  const changes = [
    ...appChanges(before, after),
    ...ENTRY_KINDS.flatMap((kind) => listChanges(kind, before, after)),
  ];
  const isGone = ({ change }: ManifestChange) => change === "removed";
  return [...changes.filter((change) => !isGone(change)), ...changes.filter(isGone)];
}

function appChanges(before: Manifest, after: Manifest): ManifestChange[] {
  const listed = new Set(Object.values(LIST_OF).map((path) => path.join(".")));
  const details = [[], ["app"], ["core"]].flatMap((path) => {
    const [one, other] = [valueAt(before, path), valueAt(after, path)];
    return changedKeys(one, other).flatMap((key) => {
      const member = [...path, key].join(".");
      const isStructure = path.length === 0 && (key === "app" || key === "core");
      if (member === "version" || listed.has(member) || isStructure) return [];
      return [detailOf(member, memberOf(one, key), memberOf(other, key))];
    });
  });
  if (details.length === 0) return [];
  const needsImage = details.some(({ member }) => member === "name");
  return [{ kind: "app", change: "changed", name: after.name, title: "App", details, needsImage }];
}

function listChanges(kind: EntryKind, before: Manifest, after: Manifest): ManifestChange[] {
  const [one, other] = [byIdentity(kind, before), byIdentity(kind, after)];
  const places = new Map([...one.keys()].map((identity, place) => [identity, place]));
  const common = [...other.keys()].filter((identity) => places.has(identity));
  const moved = movedItems(common.map((identity) => places.get(identity) ?? 0));
  const movedIdentities = new Set(common.filter((_, at) => moved.has(at)));
  const newPlaces = new Map([...other.keys()].map((identity, place) => [identity, place]));
  const placeOf = (found: Map<string, number>, identity: string) => (found.get(identity) ?? 0) + 1;
  const present = [...other].flatMap(([identity, value]): ManifestChange[] => {
    const earlier = one.get(identity);
    if (!one.has(identity)) return [entryChange(kind, "added", identity, undefined, value)];
    const changed = entryChange(kind, "changed", identity, earlier, value);
    const changes = changed.details.length > 0 ? [changed] : [];
    if (!movedIdentities.has(identity)) return changes;
    const place = detailOf("place", placeOf(places, identity), placeOf(newPlaces, identity));
    const needsImage = !ORDER_IS_SHOWN.has(kind);
    return [...changes, { ...changed, change: "moved", details: [place], needsImage }];
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
  const { details, builtOn } = entryDetails(kind, before, after);
  return {
    kind,
    change,
    name: identity,
    title: titleOf(kind, shown) ?? identity,
    details,
    needsImage: change !== "changed" || builtOn,
  };
}

/** In the order of the list. Only the first of a name that is there twice counts: no checked manifest has such. */
function byIdentity(kind: EntryKind, manifest: Manifest): Map<string, unknown> {
  const list = valueAt(manifest, LIST_OF[kind]);
  const found = new Map<string, unknown>();
  if (!Array.isArray(list)) return found;
  list.forEach((value: unknown, index) => {
    const key = KNOWN_BY[kind];
    const known = key === undefined ? value : memberOf(value, key);
    const identity = typeof known === "string" ? known : `entry ${index + 1}`;
    if (!found.has(identity)) found.set(identity, value);
  });
  return found;
}
