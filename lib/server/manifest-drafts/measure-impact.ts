import type { ManifestImpact } from "@/lib/contract/manifest-draft";
import type { Manifest, Setting } from "@/lib/contract/manifest";
import { mergeSettings, type KeptSetting } from "@/lib/domain/configuration";
import { checkManifest } from "@/lib/domain/manifest/check/check-manifest";
import { checkMappings } from "@/lib/domain/mapping/check-mappings";
import { selectVersionsOf } from "../configurations/queries";
import type { Db } from "../database/connect";
import type { Platform } from "../platform/platform";
import { countInstallations } from "../listings/queries";
import type { Publisher } from "@/lib/domain/actor";
import { selectLiveConfigurations } from "./queries";
import { readDraft } from "./read-draft";

/** So many configurations are in memory at once: each has at most 100 settings of 8 KiB. */
const BATCH = 20;

type Stored = Awaited<ReturnType<typeof selectLiveConfigurations>>[number];

/** The settings of a version, by name. */
type Declared = ReadonlyMap<string, Setting>;

/**
 * What the saved draft would, or may, ask of the installations that live now. Counts, and not one value: they come of what
 * is stored at all and of declarations, never of what a value is. By a count of one a publisher could guess it else, draft
 * by draft.
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
    return { revision, installations, affected: 0, mustFill: [], broken: true };
  }
  return { revision, ...(await countMissing(platform, listingId, manifest)), broken: false };
}

async function countMissing(platform: Platform, listingId: string, manifest: Manifest) {
  const counts = new Map<string, number>();
  let installations = 0;
  let affected = 0;
  let after: string | undefined;
  const versions = new Map<string, Declared>();
  for (;;) {
    const batch = await selectLiveConfigurations(platform.db, listingId, after, BATCH);
    await readVersions(platform.db, batch, versions);
    for (const stored of batch) {
      const missing = missingOf(manifest, stored, versions.get(stored.versionId) ?? new Map());
      for (const place of missing) counts.set(place, (counts.get(place) ?? 0) + 1);
      if (missing.size > 0) affected += 1;
    }
    installations += batch.length;
    if (batch.length < BATCH) break;
    after = batch.at(-1)?.installationId;
  }
  return { installations, affected, mustFill: inOrder(manifest, counts) };
}

/** Adds what the versions of a batch declare, where it is not known yet. */
async function readVersions(db: Db, batch: readonly Stored[], known: Map<string, Declared>): Promise<void> {
  const ids = new Set(batch.map(({ versionId }) => versionId).filter((id) => !known.has(id)));
  if (ids.size === 0) return;
  for (const { id, manifest } of await selectVersionsOf(db, [...ids]))
    known.set(id, new Map(manifest.app.fields.map((setting) => [setting.name, setting])));
}

/** The pointers of what an operator may have to fill in, each once: `/settings/<name>`, `/mappings/<name>`. */
function missingOf(manifest: Manifest, { settings, mappings }: Stored, declared: Declared): Set<string> {
  const merged = mergeSettings(manifest.app.fields, unopened(manifest, settings, declared), {});
  const products = mappings.map(({ productName }) => productName);
  const byProduct = Object.fromEntries(mappings.map(({ productName, fields }) => [productName, fields]));
  const mapped = checkMappings(manifest.core?.fields ?? [], products, byProduct);
  const missing = new Set(merged.issues.map(({ pointer }) => pointer));
  for (const { code, pointer } of mapped.issues)
    if (code === "mapping-required") missing.add(`/mappings${pointer.slice(pointer.lastIndexOf("/"))}`);
  return missing;
}

/** No value is looked at. What only a look could tell counts as fitting where it is sealed, and else by declaration. */
function unopened(
  manifest: Manifest,
  settings: Stored["settings"],
  declared: Declared,
): Map<string, KeptSetting> {
  const held = new Map(Object.entries(settings));
  const kept = new Map<string, KeptSetting>();
  for (const setting of manifest.app.fields) {
    const { name } = setting;
    const stored = held.get(name);
    if (stored?.kind === "sealed") kept.set(name, { kind: "sealed", type: stored.type, fits: true });
    else if (stored?.kind === "plain")
      kept.set(name, { kind: "sealed", type: setting.type, fits: takesAll(setting, declared.get(name)) });
  }
  return kept;
}

/** Does the setting still offer whatever may have been chosen before? A text takes any. */
function takesAll(setting: Setting, before: Setting | undefined): boolean {
  if (setting.type !== "Select") return true;
  if (before?.type !== "Select") return false;
  const offered = new Set(setting.values?.map(({ value }) => value));
  return before.values?.every(({ value }) => offered.has(value)) === true;
}

function inOrder(manifest: Manifest, counts: ReadonlyMap<string, number>): ManifestImpact["mustFill"] {
  const entries = [
    ...manifest.app.fields.map(({ name, title }) => ({ kind: "setting" as const, name, title })),
    ...(manifest.core?.fields ?? []).map(({ name, title }) => ({ kind: "mapping" as const, name, title })),
  ];
  return entries.flatMap((entry) => {
    const installations = counts.get(`/${entry.kind}s/${entry.name}`);
    return installations === undefined ? [] : [{ ...entry, installations }];
  });
}
