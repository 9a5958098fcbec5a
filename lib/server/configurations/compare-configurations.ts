import { isDeepStrictEqual } from "node:util";
import type { SettingOutcome } from "@/lib/domain/configuration";
import type { MergedAnswers } from "@/lib/domain/configuration-answers";
import type { StoredConfiguration } from "./merge-configuration";
import type { StoredSetting } from "./queries";

/** What a save does to the configuration before it: names alone, which may go into the audit. */
export interface ConfigurationDifference {
  set: string[];
  cleared: string[];
  /** Products whose mapping changes. */
  mapped: string[];
}

/**
 * A secret that is entered counts as set, whatever it is: if the stored one again were no change, a save would tell
 * whoever guesses it.
 */
export function differenceOf(
  stored: StoredConfiguration,
  { outcomes, mappings }: Pick<MergedAnswers, "outcomes" | "mappings">,
): ConfigurationDifference {
  const before = new Map(Object.entries(stored.settings).filter(([, { kind }]) => kind !== "gone"));
  const after = new Set(outcomes.map(({ name }) => name));
  const mapped = new Map(stored.mappings.map(({ productName, fields }) => [productName, fields]));
  return {
    set: outcomes.filter((outcome) => isSet(outcome, before.get(outcome.name))).map(({ name }) => name),
    cleared: [...before.keys()].filter((name) => !after.has(name)),
    mapped: mappings
      .filter(({ productName, fields }) => !isDeepStrictEqual(mapped.get(productName) ?? {}, fields))
      .map(({ productName }) => productName),
  };
}

function isSet(outcome: SettingOutcome, before: StoredSetting | undefined): boolean {
  if (outcome.store === "keep") return false;
  if (outcome.store === "sealed") return true;
  return before?.kind !== "plain" || before.value !== outcome.value;
}

export function isNone({ set, cleared, mapped }: ConfigurationDifference): boolean {
  return set.length + cleared.length + mapped.length === 0;
}
