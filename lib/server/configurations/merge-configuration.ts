import type { Manifest, Setting } from "@/lib/contract/manifest";
import { listSettings } from "@/lib/contract/manifest-terms";
import { fitsSetting, type KeptSetting } from "@/lib/domain/configuration";
import { askedBy, mergeAnswers, type Answers, type MergedAnswers } from "@/lib/domain/configuration-answers";
import type { Mapping } from "@/lib/domain/mapping/check-mappings";
import type { Db } from "../database/connect";
import { openSettingWith } from "../keys/data-key";
import { selectDataKey } from "../keys/queries";
import type { Platform } from "../platform/platform";
import type { StoredSetting } from "./queries";

export interface ConfigurationOwner {
  organizationId: string;
  installationId: string;
}

export interface StoredConfiguration {
  settings: Readonly<Record<string, StoredSetting>>;
  mappings: readonly Mapping[];
}

/** Applies answers to the stored configuration, for a manifest and the tenant's products. Writes nothing. */
export async function mergeConfiguration(
  platform: Platform,
  db: Db,
  owner: ConfigurationOwner,
  manifest: Manifest,
  products: readonly { name: string }[],
  { settings, mappings }: StoredConfiguration,
  answers: Answers,
): Promise<MergedAnswers> {
  const kept = await keptSettings(platform, db, owner, listSettings(manifest), settings);
  const productNames = products.map((product) => product.name);
  return mergeAnswers(askedBy(manifest), { kept, mappings, productNames }, answers);
}

/** The stored values that a manifest's settings can keep. Secrets are opened only to check whether they still fit. */
export async function keptSettings(
  platform: Platform,
  db: Db,
  owner: ConfigurationOwner,
  declared: readonly Setting[],
  stored: Readonly<Record<string, StoredSetting>>,
): Promise<Map<string, KeptSetting>> {
  const byName = new Map(Object.entries(stored));
  const hasSecrets = declared.some(({ name }) => byName.get(name)?.kind === "sealed");
  const key = hasSecrets ? await selectDataKey(db, owner.organizationId) : undefined;
  const kept = new Map<string, KeptSetting>();
  for (const setting of declared) {
    const found = byName.get(setting.name);
    if (found?.kind === "plain") kept.set(setting.name, found);
    if (found?.kind === "sealed")
      kept.set(setting.name, { kind: "sealed", type: found.type, fits: fits(setting, found.sealed) });
  }
  return kept;

  /** A value that cannot be opened does not fit: the customer enters it again, and can still save everything else. */
  function fits(setting: Setting, sealed: string): boolean {
    const { name } = setting;
    try {
      if (key === undefined) throw new Error(`organization ${owner.organizationId} has no data key`);
      return fitsSetting(setting, openSettingWith(platform.keyring, key, { ...owner, name }, sealed));
    } catch (error) {
      const { installationId } = owner;
      platform.log.error({ err: error, installationId, setting: name }, "a sealed setting cannot be opened");
      return false;
    }
  }
}
