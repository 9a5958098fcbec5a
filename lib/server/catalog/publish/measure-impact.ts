import type { Manifest, Setting } from "@/lib/contract/catalog/manifest";
import type { ManifestImpact } from "@/lib/contract/catalog/manifest-draft";
import { listSettings } from "@/lib/contract/platform/manifest-terms";
import { type KeptSetting, mergeSettings } from "@/lib/domain/catalog/configuration";
import { checkManifest } from "@/lib/domain/catalog/manifest/check-manifest";
import { newlyPublic } from "@/lib/domain/catalog/manifest/endpoint";
import { checkMappings } from "@/lib/domain/catalog/mapping/check-mappings";
import type { Publisher } from "@/lib/domain/platform/actor";
import type { Db } from "../../platform/database/connect";
import type { Platform } from "../../platform/platform";
import { countInstallations } from "../listing-queries";
import { selectVersionsByIds } from "../version-queries";
import { readDraft } from "./manifest-draft";
import { selectLiveConfigurations } from "./manifest-draft-queries";

/** Configurations in memory at a time. Each has at most 100 settings of 8 KiB. */
const BATCH = 20;

type Stored = Awaited<ReturnType<typeof selectLiveConfigurations>>[number];

/** A version's settings by name. */
type Declared = ReadonlyMap<string, Setting>;

interface KnownVersion {
  declared: Declared;
  /** The draft makes something public that this version doesn't. */
  asksToOpen: boolean;
}

/**
 * Counts the live installations that would, or may, have to fill in something for the saved draft. The counts depend on
 * declarations and on which values are stored, never on a value: otherwise a publisher could guess one, draft by draft.
 */
export async function measureImpact(
  platform: Platform,
  publisher: Publisher,
  listingId: string,
): Promise<ManifestImpact> {
  const { text, revision } = await readDraft(platform, publisher, listingId);
  const { manifest } = checkManifest(text);
  if (manifest === undefined) {
    const installations = await countInstallations(platform.db, listingId);
    return { revision, installations, affected: 0, asksToOpen: 0, mustFill: [], broken: true };
  }
  return { revision, ...(await countMissing(platform, listingId, manifest)), broken: false };
}

async function countMissing(platform: Platform, listingId: string, manifest: Manifest) {
  const counts = new Map<string, number>();
  let installations = 0;
  let affected = 0;
  let asksToOpen = 0;
  let after: string | undefined;
  const versions = new Map<string, KnownVersion>();
  for (;;) {
    const batch = await selectLiveConfigurations(platform.db, listingId, after, BATCH);
    await readVersions(platform.db, manifest, batch, versions);
    for (const stored of batch) {
      const version = versions.get(stored.versionId);
      const missing = findMissing(manifest, stored, version?.declared ?? new Map());
      for (const pointer of missing) counts.set(pointer, (counts.get(pointer) ?? 0) + 1);
      if (missing.size > 0) affected += 1;
      if (version?.asksToOpen === true) asksToOpen += 1;
    }
    installations += batch.length;
    if (batch.length < BATCH) break;
    after = batch.at(-1)?.installationId;
  }
  return { installations, affected, asksToOpen, mustFill: listMissing(manifest, counts) };
}

/** Adds the declarations of versions that are not in `known` yet. */
async function readVersions(
  db: Db,
  draft: Manifest,
  batch: readonly Stored[],
  known: Map<string, KnownVersion>,
): Promise<void> {
  const ids = new Set(batch.map(({ versionId }) => versionId).filter((id) => !known.has(id)));
  if (ids.size === 0) return;
  for (const { id, manifest } of await selectVersionsByIds(db, [...ids]))
    known.set(id, {
      declared: new Map(listSettings(manifest).map((setting) => [setting.name, setting])),
      asksToOpen: newlyPublic(manifest, draft).length > 0,
    });
}

/** Pointers of what an operator may have to fill in: `/settings/<name>`, `/mappings/<name>`. */
function findMissing(manifest: Manifest, { settings, mappings }: Stored, declared: Declared): Set<string> {
  const merged = mergeSettings(listSettings(manifest), withoutValues(manifest, settings, declared), {});
  const products = mappings.map(({ productName }) => productName);
  const byProduct = Object.fromEntries(mappings.map(({ productName, fields }) => [productName, fields]));
  const mapped = checkMappings(manifest.core?.fields ?? [], products, byProduct);
  const missing = new Set(merged.issues.map(({ pointer }) => pointer));
  for (const { code, pointer } of mapped.issues)
    if (code === "mapping-required") missing.add(`/mappings${pointer.slice(pointer.lastIndexOf("/"))}`);
  return missing;
}

/** No value is read. A sealed value counts as valid; a plain one does if the setting accepts every earlier choice. */
function withoutValues(
  manifest: Manifest,
  settings: Stored["settings"],
  declared: Declared,
): Map<string, KeptSetting> {
  const stored = new Map(Object.entries(settings));
  const kept = new Map<string, KeptSetting>();
  for (const setting of listSettings(manifest)) {
    const { name } = setting;
    const value = stored.get(name);
    if (value?.kind === "sealed") kept.set(name, { kind: "sealed", type: value.type, fits: true });
    else if (value?.kind === "plain")
      kept.set(name, { kind: "sealed", type: setting.type, fits: acceptsAll(setting, declared.get(name)) });
  }
  return kept;
}

/** Whether the setting still accepts every choice that it offered before. */
function acceptsAll(setting: Setting, before: Setting | undefined): boolean {
  if (setting.type !== "Select") return true;
  if (before?.type !== "Select") return false;
  const offered = new Set(setting.values?.map(({ value }) => value));
  return before.values?.every(({ value }) => offered.has(value)) === true;
}

function listMissing(manifest: Manifest, counts: ReadonlyMap<string, number>): ManifestImpact["mustFill"] {
  const entries = [
    ...listSettings(manifest).map(({ name, title }) => ({ kind: "setting" as const, name, title })),
    ...(manifest.core?.fields ?? []).map(({ name, title }) => ({ kind: "mapping" as const, name, title })),
  ];
  return entries.flatMap((entry) => {
    const installations = counts.get(`/${entry.kind}s/${entry.name}`);
    return installations === undefined ? [] : [{ ...entry, installations }];
  });
}
