import type { Setting } from "@/lib/contract/manifest";
import { fitsSetting, type KeptSetting } from "@/lib/domain/configuration";
import type { Db } from "../database/connect";
import { openSettingWith } from "../keys/data-key";
import { selectDataKey, type DataKeyRow } from "../keys/queries";
import type { Platform } from "../platform/platform";
import type { StoredSetting } from "./queries";

export interface ConfigurationPlace {
  organizationId: string;
  installationId: string;
}

type Sealed = Extract<StoredSetting, { kind: "sealed" }>;

/** What may be kept of a revision under a manifest's settings. Sealed values are opened for their own customer alone. */
export async function keptSettings(
  platform: Platform,
  db: Db,
  place: ConfigurationPlace,
  declared: readonly Setting[],
  stored: Readonly<Record<string, StoredSetting>>,
): Promise<Map<string, KeptSetting>> {
  const held = new Map(Object.entries(stored));
  const isAnySealed = declared.some(({ name }) => held.get(name)?.kind === "sealed");
  const key = isAnySealed ? await selectDataKey(db, place.organizationId) : undefined;
  const kept = new Map<string, KeptSetting>();
  for (const setting of declared) {
    const { name } = setting;
    const found = held.get(name);
    if (found === undefined || found.kind === "gone") continue;
    if (found.kind === "plain") kept.set(name, found);
    else
      kept.set(name, { kind: "sealed", type: found.type, fits: fits(platform, key, place, setting, found) });
  }
  return kept;
}

/** A value that does not open any more does not fit: it is asked for again, and everything else can still be saved. */
function fits(
  platform: Platform,
  key: DataKeyRow | undefined,
  place: ConfigurationPlace,
  setting: Setting,
  { sealed }: Sealed,
): boolean {
  const { name } = setting;
  let value: string;
  try {
    if (key === undefined) throw new Error(`organization ${place.organizationId} has no data key`);
    value = openSettingWith(platform.keyring, key, { ...place, name }, sealed);
  } catch (error) {
    const { installationId } = place;
    platform.log.error({ err: error, installationId, setting: name }, "a sealed setting cannot be opened");
    return false;
  }
  return fitsSetting(setting, value);
}
