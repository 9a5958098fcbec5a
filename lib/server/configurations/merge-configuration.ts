import type { SettingAction } from "@/lib/contract/installation";
import type { Manifest } from "@/lib/contract/manifest";
import type { Issue } from "@/lib/contract/problem";
import { mergeSettings, type SettingOutcome } from "@/lib/domain/configuration";
import { checkMappings, mergePaths, type Mapping } from "@/lib/domain/mapping/check-mappings";
import type { Db } from "../database/connect";
import type { Platform } from "../platform";
import { keptSettings, type ConfigurationPlace } from "./kept-settings";
import type { StoredSetting } from "./queries";

/** What an installation holds now. */
export interface StoredConfiguration {
  settings: Readonly<Record<string, StoredSetting>>;
  mappings: readonly Mapping[];
}

interface Answers {
  settings: Readonly<Record<string, SettingAction>>;
  mappings: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface MergedConfiguration {
  outcomes: SettingOutcome[];
  mappings: Mapping[];
  /** All of what is wrong; none of it repeats a value. */
  issues: Issue[];
}

/** What the answers make of what is stored, under a manifest and the tenant's products. Nothing is written. */
export async function mergeConfiguration(
  platform: Platform,
  db: Db,
  place: ConfigurationPlace,
  manifest: Manifest,
  products: readonly { name: string }[],
  stored: StoredConfiguration,
  answers: Answers,
): Promise<MergedConfiguration> {
  const declared = manifest.app.fields;
  const kept = await keptSettings(platform, db, place, declared, stored.settings);
  const settings = mergeSettings(declared, kept, answers.settings);
  const fields = manifest.core?.fields ?? [];
  const names = products.map((product) => product.name);
  const present = stored.mappings.filter((mapping) => names.includes(mapping.productName));
  const mapped = checkMappings(fields, names, mergePaths(fields, present, answers.mappings));
  return {
    outcomes: settings.outcomes,
    mappings: mapped.mappings,
    issues: [...settings.issues, ...mapped.issues],
  };
}
