/** What upgrading an installation asks of its customer, and which stored answers it keeps. */
import type { Manifest } from "@/lib/contract/catalog/manifest";
import { listSettings } from "@/lib/contract/platform/manifest-terms";
import type { Issue } from "@/lib/contract/platform/problem";
import {
  askedBy,
  canKeep,
  type KeptSetting,
  mergeAnswers,
  NO_ANSWERS,
  settingPointer,
} from "../catalog/configuration";
import { type Mapping, mappingPointer } from "../catalog/mapping/check-mappings";

export interface UpgradeQuestion {
  from: Manifest;
  to: Manifest;
  /** Names of all stored settings, declared in `to` or not. */
  storedNames: readonly string[];
  /** The stored settings that `to` declares, checked against `to`. */
  kept: ReadonlyMap<string, KeptSetting>;
  storedMappings: readonly Mapping[];
  productNames: readonly string[];
}

export interface UpgradePlan {
  /** What must be answered before the upgrade. Valid answers to these leave no other issue. */
  asks: Issue[];
  /** Pointers of optional new questions without a stored answer. */
  offers: string[];
  /** Titles of stored answers that are no longer declared. */
  dropped: string[];
}

export function planUpgrade(question: UpgradeQuestion): UpgradePlan {
  const { to, kept, storedMappings: mappings, productNames } = question;
  const asks = mergeAnswers(askedBy(to), { kept, mappings, productNames }, NO_ANSWERS).issues;
  const asked = new Set(asks.map((issue) => issue.pointer));
  return {
    asks,
    offers: listOffers(question).filter((pointer) => !asked.has(pointer)),
    dropped: listDropped(question),
  };
}

interface Questions {
  asks: readonly unknown[];
  rights: { isMore: boolean };
  publicEndpoints: readonly unknown[];
  /** Terms that were not accepted yet. */
  newTerms?: unknown;
}

/** What a customer has to look at before an upgrade; undefined if it can begin at once. */
export function explainQuestions({ asks, rights, publicEndpoints, newTerms }: Questions): string | undefined {
  if (asks.length > 0)
    return asks.length === 1 ? "It asks for 1 answer." : `It asks for ${asks.length} answers.`;
  if (rights.isMore) return "It asks for more rights than you agreed to.";
  if (publicEndpoints.length > 0) return "It has new public endpoints that you can open or keep closed.";
  if (newTerms !== undefined) return "The publisher has new terms to accept.";
  return undefined;
}

function listOffers({ from, to, storedNames, storedMappings, productNames }: UpgradeQuestion): string[] {
  const knownSettings = new Set([...listNames(listSettings(from)), ...storedNames]);
  const settings = listSettings(to).filter(({ name }) => !knownSettings.has(name));
  const knownFields = new Set(listNames(from.core?.fields));
  const fields = (to.core?.fields ?? []).filter(({ name }) => !knownFields.has(name));
  const mapped = new Map(
    storedMappings.map((mapping) => [mapping.productName, new Set(Object.keys(mapping.fields))]),
  );
  return [
    ...settings.map(({ name }) => settingPointer(name)),
    ...productNames.flatMap((product) =>
      fields
        .filter(({ name }) => mapped.get(product)?.has(name) !== true)
        .map(({ name }) => mappingPointer(product, name)),
    ),
  ];
}

function listDropped({ from, to, storedNames, storedMappings }: UpgradeQuestion): string[] {
  const dropped = (names: Iterable<string>, before: Named[] | undefined, after: Named[] | undefined) => {
    const declared = new Set(listNames(after));
    const titles = new Map(before?.map(({ name, title }) => [name, title]));
    return [...new Set(names)].filter((name) => !declared.has(name)).map((name) => titles.get(name) ?? name);
  };
  const mapped = storedMappings.flatMap(({ fields }) => Object.keys(fields));
  return [
    ...dropped(storedNames, listSettings(from), listSettings(to)),
    ...dropped(mapped, from.core?.fields, to.core?.fields),
  ];
}

interface Named {
  name: string;
  title: string;
}

function listNames(declared: readonly Named[] | undefined): string[] {
  return declared?.map(({ name }) => name) ?? [];
}

export interface Rollback {
  /** The current version, and the previous one that is restored. */
  from: Manifest;
  to: Manifest;
  /** What is stored now and what the last revision of `to` stored, both checked against `to`. */
  now: ReadonlyMap<string, KeptSetting>;
  before: ReadonlyMap<string, KeptSetting>;
}

/**
 * The revision that each setting is taken from in a rollback: the current one if its value can be kept, otherwise the last
 * one of the older version. A setting that the customer cleared since stays cleared, if the current version asks for it.
 */
export function settingsForRollback({ from, to, now, before }: Rollback): Map<string, "now" | "before"> {
  const answerable = new Set(listNames(listSettings(from)));
  const taken = new Map<string, "now" | "before">();
  for (const setting of listSettings(to)) {
    const { name } = setting;
    const current = now.get(name);
    const older = before.get(name);
    const fits = (stored: KeptSetting | undefined) => stored !== undefined && canKeep(setting, stored);
    if (fits(current)) taken.set(name, "now");
    else if (current === undefined && answerable.has(name)) continue;
    else if (fits(older)) taken.set(name, "before");
    else if (current !== undefined) taken.set(name, "now");
    else if (older !== undefined) taken.set(name, "before");
  }
  return taken;
}
