/** Merges a customer's answers with what is stored: settings and mappings, for the server and for every form. */
import type { SettingAction } from "@/lib/contract/installation";
import type { Manifest, MappingField, Setting } from "@/lib/contract/manifest";
import { listSettings } from "@/lib/contract/manifest-terms";
import type { Issue } from "@/lib/contract/problem";
import { mergeSettings, type KeptSetting, type SettingOutcome } from "./configuration";
import { checkMappings, mergePaths, type Mapping } from "./mapping/check-mappings";

/** What a version asks of its customers. */
export interface Asked {
  settings: readonly Setting[];
  mappingFields: readonly MappingField[];
}

export function askedBy(manifest: Manifest): Asked {
  return { settings: listSettings(manifest), mappingFields: manifest.core?.fields ?? [] };
}

/** What is stored, without the secrets' values, and the tenant's products. */
export interface Stored {
  kept: ReadonlyMap<string, KeptSetting>;
  mappings: readonly Mapping[];
  productNames: readonly string[];
}

export interface Answers {
  settings: Readonly<Record<string, SettingAction>>;
  mappings: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export const NO_ANSWERS: Answers = { settings: {}, mappings: {} };

export interface MergedAnswers {
  outcomes: SettingOutcome[];
  mappings: Mapping[];
  /** All issues. None repeats a value. */
  issues: Issue[];
}

/** Drops the stored mapping of a product that the tenant no longer has. */
export function mergeAnswers(asked: Asked, stored: Stored, answers: Answers): MergedAnswers {
  const { productNames } = stored;
  const { mappingFields } = asked;
  const settings = mergeSettings(asked.settings, stored.kept, answers.settings);
  const present = stored.mappings.filter((mapping) => productNames.includes(mapping.productName));
  const paths = mergePaths(mappingFields, present, answers.mappings);
  const mapped = checkMappings(mappingFields, productNames, paths);
  return {
    outcomes: settings.outcomes,
    mappings: mapped.mappings,
    issues: [...settings.issues, ...mapped.issues],
  };
}
