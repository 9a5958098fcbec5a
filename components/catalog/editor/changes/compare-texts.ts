/** What the draft's text changes compared with a published version's. */
import type { Manifest } from "@/lib/contract/catalog/manifest";
import { listSettings } from "@/lib/contract/platform/manifest-terms";
import { checkManifest } from "@/lib/domain/catalog/manifest/check-manifest";
import { compareManifests, type ManifestChange } from "@/lib/domain/catalog/manifest/compare-manifests";
import type { Ingredient } from "@/lib/domain/catalog/manifest/entry";

const CHANGE_GROUPS = ["added", "changed", "moved", "removed"] as const;
export type ChangeGroup = (typeof CHANGE_GROUPS)[number];

export interface ShownChange extends ManifestChange {
  /** A setting's type, or else the kind. */
  shownAs: Ingredient | "app";
}

export type Comparison =
  /** One of the texts isn't a valid manifest, so only the texts can be compared. */
  | { type: "unreadable"; which: "draft" | "version" }
  /** `differentText`: the formatting or the version number differs. */
  | { type: "same"; differentText: boolean }
  | {
      type: "changes";
      groups: { group: ChangeGroup; changes: ShownChange[] }[];
      count: number;
      /** The number of changes that need a new image. */
      imageCount: number;
    };

export function compareTexts(published: string, draft: string): Comparison {
  const after = checkManifest(draft).manifest;
  if (after === undefined) return { type: "unreadable", which: "draft" };
  const before = checkManifest(published).manifest;
  if (before === undefined) return { type: "unreadable", which: "version" };
  const found = compareManifests(before, after);
  if (found.length === 0) return { type: "same", differentText: published !== draft };
  const types = new Map([...settingTypes(before), ...settingTypes(after)]);
  const changes = found.map((change) => ({
    ...change,
    shownAs: change.kind === "setting" ? (types.get(change.name) ?? "Text") : change.kind,
  }));
  const groups = CHANGE_GROUPS.map((group) => ({
    group,
    changes: changes.filter(({ change }) => change === group),
  }));
  return {
    type: "changes",
    groups: groups.filter((group) => group.changes.length > 0),
    count: changes.length,
    imageCount: changes.filter(({ needsImage }) => needsImage).length,
  };
}

function settingTypes(manifest: Manifest) {
  return listSettings(manifest).map(({ name, type }) => [name, type] as const);
}
