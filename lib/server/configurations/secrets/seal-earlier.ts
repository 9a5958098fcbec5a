import type { Db } from "../../database/connect";
import { sealSetting } from "../../keys/data-key";
import type { Platform } from "../../platform";
import type { ConfigurationPlace } from "../kept-settings";
import type { StoredSetting } from "../queries";
import { hasPlain, selectEarlier, updateSettings, type EarlierRow } from "./queries";
import { tracePlain, type PlainRun } from "./trace-plain";

/**
 * Seals in the revisions before `before` what is plain there and a secret now, so that a dump shows none of it. Sealing
 * is no change: the history says of such a value what it said before.
 */
export async function sealEarlier(
  platform: Platform,
  tx: Db,
  place: ConfigurationPlace,
  before: number,
  names: readonly string[],
): Promise<void> {
  const { installationId } = place;
  if (!(await hasPlain(tx, installationId, before, names))) return;
  const rows = await selectEarlier(tx, installationId, before);
  const changed = new Map<EarlierRow, Record<string, StoredSetting>>();
  for (const { row, name, run } of tracePlain(rows, names).found) {
    const settings = changed.get(row) ?? { ...row.settings };
    settings[name] = await sealedForm(platform, tx, { ...place, name }, row, run);
    changed.set(row, settings);
  }
  for (const [row, settings] of changed) await updateSettings(tx, installationId, row.revision, settings);
}

async function sealedForm(
  platform: Platform,
  tx: Db,
  place: ConfigurationPlace & { name: string },
  { manifest, scrubbedAt }: EarlierRow,
  { value, setIn, updatedAt, by }: PlainRun,
): Promise<StoredSetting> {
  const type = manifest.app.fields.find((setting) => setting.name === place.name)?.type ?? "Text";
  const origin = { type, setIn, updatedAt, by };
  // Nobody reads a scrubbed revision any more: not even a ciphertext is left there.
  if (scrubbedAt !== null) return { kind: "gone", ...origin };
  return { kind: "sealed", sealed: await sealSetting(platform, tx, place, value), ...origin };
}
