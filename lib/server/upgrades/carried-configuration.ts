import type { Manifest } from "@/lib/contract/manifest";
import { listSettings } from "@/lib/contract/manifest-terms";
import type { Mapping } from "@/lib/domain/mapping/check-mappings";
import { settingsForRollback } from "@/lib/domain/upgrade";
import { keptSettings, type ConfigurationOwner } from "../configurations/merge-configuration";
import { selectConfiguration, type RevisionRow } from "../configurations/queries";
import type { Db } from "../database/connect";
import type { Platform } from "../platform/platform";

type Carried = Pick<RevisionRow, "settings" | "mappings" | "schemaDigests">;

/**
 * The stored configuration that an upgrade starts from. A rollback adds the settings that only the previous version has;
 * `previous` is the last revision of that version.
 */
export async function carriedConfiguration(
  platform: Platform,
  db: Db,
  owner: ConfigurationOwner,
  { revision, manifest: from }: { revision: number; manifest: Manifest },
  to: Manifest,
  previous: number | undefined,
): Promise<Carried> {
  const now = await selectConfiguration(db, owner.installationId, revision);
  if (previous === undefined) return now;
  const before = await selectConfiguration(db, owner.installationId, previous);
  const kept = ({ settings }: RevisionRow) => keptSettings(platform, db, owner, listSettings(to), settings);
  const sources = settingsForRollback({ from, to, now: await kept(now), before: await kept(before) });
  const settings = new Map(Object.entries(now.settings));
  const older = new Map(Object.entries(before.settings));
  for (const [name, source] of sources) {
    const restored = older.get(name);
    if (source === "before" && restored !== undefined) settings.set(name, restored);
  }
  return {
    settings: Object.fromEntries(settings),
    mappings: mappingsForRollback(from, now.mappings, before.mappings),
    schemaDigests: now.schemaDigests,
  };
}

/** Restores the older paths of mapping fields that the version it leaves does not declare, as with settings. */
function mappingsForRollback(from: Manifest, now: readonly Mapping[], before: readonly Mapping[]): Mapping[] {
  const declared = new Set((from.core?.fields ?? []).map((field) => field.name));
  const older = new Map(before.map(({ productName, fields }) => [productName, Object.entries(fields)]));
  return now.map(({ productName, fields }) => {
    const restored = (older.get(productName) ?? []).filter(([name]) => !declared.has(name));
    return { productName, fields: Object.fromEntries([...restored, ...Object.entries(fields)]) };
  });
}
