/** What a draft's text changes in a published version's. */
import type { Manifest } from "@/lib/contract/manifest";
import { checkManifest } from "@/lib/domain/manifest/check/check-manifest";
import { compareManifests, type ManifestChange } from "@/lib/domain/manifest/compare/compare-manifests";
import type { Ingredient } from "@/lib/domain/manifest/outline/new-entry";

export const CHANGE_GROUPS = ["added", "changed", "moved", "removed"] as const;
export type ChangeGroup = (typeof CHANGE_GROUPS)[number];

/** Of what kind it looks: a setting by its type. */
export type ShownKind = Ingredient | "app";

export interface ShownChange extends ManifestChange {
  look: ShownKind;
}

export type Comparison =
  /** One of them is no manifest, so only the texts can be compared. */
  | { type: "unreadable"; which: "draft" | "version" }
  /** `differentText`: in layout, or in the version number. */
  | { type: "same"; differentText: boolean }
  | {
      type: "changes";
      groups: { group: ChangeGroup; changes: ShownChange[] }[];
      count: number;
      stuck: number;
    };

export function compareTexts(published: string, draft: string): Comparison {
  const after = checkManifest(draft).manifest;
  if (after === undefined) return { type: "unreadable", which: "draft" };
  const before = checkManifest(published).manifest;
  if (before === undefined) return { type: "unreadable", which: "version" };
  const found = compareManifests(before, after);
  if (found.length === 0) return { type: "same", differentText: published !== draft };
  const types = new Map([...typesOf(before), ...typesOf(after)]);
  const changes = found.map((change) => ({ ...change, look: lookOf(change, types) }));
  const groups = CHANGE_GROUPS.map((group) => ({
    group,
    changes: changes.filter(({ change }) => change === group),
  }));
  return {
    type: "changes",
    groups: groups.filter((group) => group.changes.length > 0),
    count: changes.length,
    stuck: changes.filter(({ needsImage }) => needsImage).length,
  };
}

type SettingType = Manifest["app"]["fields"][number]["type"];

function typesOf({ app }: Manifest): [string, SettingType][] {
  return app.fields.map(({ name, type }) => [name, type]);
}

function lookOf({ kind, name }: ManifestChange, types: ReadonlyMap<string, SettingType>): ShownKind {
  return kind === "setting" ? (types.get(name) ?? "Text") : kind;
}
