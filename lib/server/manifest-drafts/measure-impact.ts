import type { ManifestImpact } from "@/lib/contract/manifest-draft";
import type { Manifest } from "@/lib/contract/manifest";
import { mergeSettings, type KeptSetting } from "@/lib/domain/configuration";
import { checkManifest } from "@/lib/domain/manifest/check-manifest";
import { checkMappings } from "@/lib/domain/mapping/check-mappings";
import type { Platform } from "../platform";
import { countInstallations } from "../listings/queries";
import type { Publisher } from "../versions/publisher";
import { selectLiveConfigurations } from "./queries";
import { readDraft } from "./read-draft";

/** So many configurations are in memory at once: each has at most 100 settings of 8 KiB. */
const BATCH = 20;

type Stored = Awaited<ReturnType<typeof selectLiveConfigurations>>[number];

/**
 * What the saved draft would ask of the installations that live now. Counts, and not one value: a sensitive Select stays
 * sealed, though its choice may no longer be offered, for by a count of one a publisher could ask for it value by value.
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
  for (;;) {
    const batch = await selectLiveConfigurations(platform.db, listingId, after, BATCH);
    for (const stored of batch) {
      const missing = missingOf(manifest, stored);
      for (const place of missing) counts.set(place, (counts.get(place) ?? 0) + 1);
      if (missing.size > 0) affected += 1;
    }
    installations += batch.length;
    if (batch.length < BATCH) break;
    after = batch.at(-1)?.installationId;
  }
  return { installations, affected, mustFill: inOrder(manifest, counts) };
}

/** The pointers of what an operator would have to fill in, each once: `/settings/<name>`, `/mappings/<name>`. */
function missingOf(manifest: Manifest, { settings, mappings }: Stored): Set<string> {
  const merged = mergeSettings(manifest.app.fields, unopened(settings), {});
  const products = mappings.map(({ productName }) => productName);
  const byProduct = Object.fromEntries(mappings.map(({ productName, fields }) => [productName, fields]));
  const mapped = checkMappings(manifest.core?.fields ?? [], products, byProduct);
  const missing = new Set(merged.issues.map(({ pointer }) => pointer));
  for (const { code, pointer } of mapped.issues)
    if (code === "mapping-required") missing.add(`/mappings${pointer.slice(pointer.lastIndexOf("/"))}`);
  return missing;
}

/** Sealed values stay sealed: what could only be told by opening them counts as fitting. */
function unopened(settings: Stored["settings"]): Map<string, KeptSetting> {
  const kept = new Map<string, KeptSetting>();
  for (const [name, stored] of Object.entries(settings)) {
    if (stored.kind === "plain") kept.set(name, stored);
    else if (stored.kind === "sealed") kept.set(name, { kind: "sealed", type: stored.type, fits: true });
  }
  return kept;
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
