import type { Manifest } from "@/lib/contract/manifest";
import type { Mapping } from "@/lib/domain/mapping/check-mappings";
import { settingsForRollback } from "@/lib/domain/upgrade";
import { type ConfigurationPlace, keptSettings } from "../configurations/kept-settings";
import type { StoredConfiguration } from "../configurations/merge-configuration";
import { selectConfiguration } from "../configurations/queries";
import type { SchemaDigests } from "../configurations/schemas-seen";
import type { Db } from "../database/connect";
import type { Platform } from "../platform/platform";

/** With the schemas that its mappings were last looked at for. */
type Carried = StoredConfiguration & { schemaDigests: SchemaDigests };

interface Served {
  revision: number;
  manifest: Manifest;
}

/**
 * What a move takes along: what is stored now; on the way back also what the version before had of its own.
 * @param previous the last revision of that version; undefined for any other move
 */
export async function carriedConfiguration(
  platform: Platform,
  db: Db,
  place: ConfigurationPlace,
  { revision, manifest: from }: Served,
  to: Manifest,
  previous: number | undefined,
): Promise<Carried> {
  const now = await requireRevision(db, place, revision);
  if (previous === undefined) return now;
  const before = await requireRevision(db, place, previous);
  const keptOf = ({ settings }: StoredConfiguration) =>
    keptSettings(platform, db, place, to.app.fields, settings);
  const taken = settingsForRollback({ from, to, now: await keptOf(now), before: await keptOf(before) });
  const settings = new Map(Object.entries(now.settings));
  const older = new Map(Object.entries(before.settings));
  for (const [name, source] of taken) {
    const back = older.get(name);
    if (source === "before" && back !== undefined) settings.set(name, back);
  }
  return {
    settings: Object.fromEntries(settings),
    mappings: mappingsForRollback(from, now.mappings, before.mappings),
    schemaDigests: now.schemaDigests,
  };
}

/** As with settings: of fields that the version which is left does not declare, the older paths come back. */
function mappingsForRollback(from: Manifest, now: readonly Mapping[], before: readonly Mapping[]): Mapping[] {
  const answerable = new Set((from.core?.fields ?? []).map((field) => field.name));
  const older = new Map(before.map(({ productName, fields }) => [productName, Object.entries(fields)]));
  return now.map(({ productName, fields }) => {
    const back = (older.get(productName) ?? []).filter(([name]) => !answerable.has(name));
    return { productName, fields: Object.fromEntries([...back, ...Object.entries(fields)]) };
  });
}

async function requireRevision(
  db: Db,
  { installationId }: ConfigurationPlace,
  revision: number,
): Promise<Carried> {
  const found = await selectConfiguration(db, installationId, revision);
  if (found === undefined) throw new Error(`installation ${installationId} has no revision ${revision}`);
  return found;
}
