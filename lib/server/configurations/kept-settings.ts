import type { Setting } from "@/lib/contract/manifest";
import { fitsSetting, type KeptSetting } from "@/lib/domain/configuration";
import type { Db } from "../database/connect";
import { openSetting } from "../keys/data-key";
import type { Platform } from "../platform";
import type { StoredSetting } from "./queries";

export interface ConfigurationPlace {
  organizationId: string;
  installationId: string;
}

/** What may be kept of a revision under a manifest's settings. Sealed values are opened for their own customer alone. */
export async function keptSettings(
  platform: Platform,
  db: Db,
  place: ConfigurationPlace,
  declared: readonly Setting[],
  stored: Readonly<Record<string, StoredSetting>>,
): Promise<Map<string, KeptSetting>> {
  const held = new Map(Object.entries(stored));
  const kept = new Map<string, KeptSetting>();
  for (const setting of declared) {
    const { name } = setting;
    const found = held.get(name);
    if (found === undefined || found.kind === "gone") continue;
    if (found.kind === "plain") kept.set(name, found);
    else {
      const value = await openSetting(platform, db, { ...place, name }, found.sealed);
      kept.set(name, { kind: "sealed", type: found.type, fits: fitsSetting(setting, value) });
    }
  }
  return kept;
}
