/** What a customer's answers make of what is stored, under one manifest: settings and mappings together. */
import type { SettingAction } from "@/lib/contract/installation";
import type { Manifest } from "@/lib/contract/manifest";
import type { Issue } from "@/lib/contract/problem";
import { mergeSettings, type KeptSetting, type SettingOutcome } from "./configuration";
import { checkMappings, mergePaths, type Mapping } from "./mapping/check-mappings";

/** What is stored, as the server tells it without secrets, and the tenant's products. */
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
  /** All of what is wrong; none of it repeats a value. */
  issues: Issue[];
}

/** The stored mapping of a product that the tenant has no more is left behind without a word. */
export function mergeAnswers(manifest: Manifest, stored: Stored, answers: Answers): MergedAnswers {
  const { productNames } = stored;
  const fields = manifest.core?.fields ?? [];
  const settings = mergeSettings(manifest.app.fields, stored.kept, answers.settings);
  const present = stored.mappings.filter((mapping) => productNames.includes(mapping.productName));
  const mapped = checkMappings(fields, productNames, mergePaths(fields, present, answers.mappings));
  return {
    outcomes: settings.outcomes,
    mappings: mapped.mappings,
    issues: [...settings.issues, ...mapped.issues],
  };
}
