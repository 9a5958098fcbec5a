import type { SettingType } from "@/lib/contract/manifest";
import type { Db } from "../../database/connect";
import { settingSealer } from "../../keys/data-key";
import type { Platform } from "../../platform/platform";
import type { ConfigurationPlace } from "../kept-settings";
import type { StoredSetting } from "../queries";
import { hasPlain, replaceSettings, selectSettingTypes, type PlainRow } from "./queries";
import { tracePlain, type FoundPlain } from "./trace-plain";

/**
 * Seals in the revisions before `before` what is plain there and a secret now, so that a dump shows none of it. Sealing
 * is no change: the history says of such a value what it said before.
 */
export async function sealEarlier(
  platform: Platform,
  tx: Db,
  { organizationId, installationId }: ConfigurationPlace,
  before: number,
  names: readonly string[],
): Promise<void> {
  if (!(await hasPlain(tx, installationId, before, names))) return;
  const sealWith = await settingSealer(platform, tx, organizationId);
  const typesOf = new Map<string, ReadonlyMap<string, SettingType>>();
  await tracePlain(tx, installationId, before, names, async (found) => {
    for (const { versionId } of found.map(({ row }) => row))
      if (!typesOf.has(versionId)) typesOf.set(versionId, await selectSettingTypes(tx, versionId, names));
    const changed = new Map<PlainRow, Record<string, StoredSetting>>();
    for (const each of found) {
      const settings = changed.get(each.row) ?? {};
      settings[each.name] = sealedForm(each, typesOf.get(each.row.versionId)?.get(each.name) ?? "Text");
      changed.set(each.row, settings);
    }
    for (const [{ revision }, settings] of changed)
      await replaceSettings(tx, installationId, revision, settings);
  });

  function sealedForm({ row, name, run }: FoundPlain, type: SettingType): StoredSetting {
    const { value, ...set } = run;
    const origin = { type, ...set };
    // Nobody reads a scrubbed revision any more: not even a ciphertext is left there.
    if (row.scrubbedAt !== null) return { kind: "gone", ...origin };
    return { kind: "sealed", sealed: sealWith({ installationId, name }, value), ...origin };
  }
}
