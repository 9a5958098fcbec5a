/** What moving an installation to another version asks of its customer, and what becomes of what is stored. */
import type { Manifest } from "@/lib/contract/manifest";
import type { Issue } from "@/lib/contract/problem";
import { canKeep, settingPointer, type KeptSetting } from "./configuration";
import { askedBy, mergeAnswers, NO_ANSWERS } from "./configuration-answers";
import { mappingPointer, type Mapping } from "./mapping/check-mappings";

export interface UpgradeQuestion {
  from: Manifest;
  to: Manifest;
  /** Names of all settings that are stored, declared in `to` or not. */
  storedNames: readonly string[];
  /** What is stored of the settings that `to` declares, judged by their declarations in `to`. */
  kept: ReadonlyMap<string, KeptSetting>;
  storedMappings: readonly Mapping[];
  productNames: readonly string[];
}

export interface UpgradePlan {
  /** What must be answered before it can move; nothing else is wrong when these are answered well. */
  asks: Issue[];
  /** Pointers of what may be answered: it is new, and nothing is stored for it. */
  offers: string[];
  /** Titles of what is stored and not declared any more. */
  dropped: string[];
}

export function planUpgrade(question: UpgradeQuestion): UpgradePlan {
  const { to, kept, storedMappings: mappings, productNames } = question;
  const asks = mergeAnswers(askedBy(to), { kept, mappings, productNames }, NO_ANSWERS).issues;
  const asked = new Set(asks.map((issue) => issue.pointer));
  return {
    asks,
    offers: offersOf(question).filter((pointer) => !asked.has(pointer)),
    dropped: droppedBy(question),
  };
}

function offersOf({ from, to, storedNames, storedMappings, productNames }: UpgradeQuestion): string[] {
  const knownSettings = new Set([...namesOf(from.app.fields), ...storedNames]);
  const settings = to.app.fields.filter(({ name }) => !knownSettings.has(name));
  const knownFields = new Set(namesOf(from.core?.fields));
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

function droppedBy({ from, to, storedNames, storedMappings }: UpgradeQuestion): string[] {
  const dropped = (names: Iterable<string>, before: Named[] | undefined, after: Named[] | undefined) => {
    const declared = new Set(namesOf(after));
    const titles = new Map(before?.map(({ name, title }) => [name, title]));
    return [...new Set(names)].filter((name) => !declared.has(name)).map((name) => titles.get(name) ?? name);
  };
  const mapped = storedMappings.flatMap(({ fields }) => Object.keys(fields));
  return [
    ...dropped(storedNames, from.app.fields, to.app.fields),
    ...dropped(mapped, from.core?.fields, to.core?.fields),
  ];
}

interface Named {
  name: string;
  title: string;
}

function namesOf(declared: readonly Named[] | undefined): string[] {
  return declared?.map(({ name }) => name) ?? [];
}

export interface WayBack {
  /** The version that is left, and the one before, which it goes back to. */
  from: Manifest;
  to: Manifest;
  /** What is stored now, and what the last revision of `to` holds: both judged by the declarations in `to`. */
  now: ReadonlyMap<string, KeptSetting>;
  before: ReadonlyMap<string, KeptSetting>;
}

/**
 * Of which revision each setting is taken on the way back. What is stored now counts where it can be kept, else what the
 * older version had. What the customer cleared meanwhile stays cleared: only what could not be answered comes back.
 */
export function settingsForRollback({ from, to, now, before }: WayBack): Map<string, "now" | "before"> {
  const answerable = new Set(namesOf(from.app.fields));
  const taken = new Map<string, "now" | "before">();
  for (const setting of to.app.fields) {
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
