import type { Manifest } from "@/lib/contract/manifest";
import { askedBy, mergeAnswers, type Answers, type MergedAnswers } from "@/lib/domain/configuration-answers";
import type { Mapping } from "@/lib/domain/mapping/check-mappings";
import type { Db } from "../database/connect";
import type { Platform } from "../platform/platform";
import { keptSettings, type ConfigurationPlace } from "./kept-settings";
import type { StoredSetting } from "./queries";

/** What an installation holds now. */
export interface StoredConfiguration {
  settings: Readonly<Record<string, StoredSetting>>;
  mappings: readonly Mapping[];
}

/** What the answers make of what is stored, under a manifest and the tenant's products. Nothing is written. */
export async function mergeConfiguration(
  platform: Platform,
  db: Db,
  place: ConfigurationPlace,
  manifest: Manifest,
  products: readonly { name: string }[],
  { settings, mappings }: StoredConfiguration,
  answers: Answers,
): Promise<MergedAnswers> {
  const kept = await keptSettings(platform, db, place, manifest.app.fields, settings);
  const productNames = products.map((product) => product.name);
  return mergeAnswers(askedBy(manifest), { kept, mappings, productNames }, answers);
}
