/** A made-up customer's answers, by the rules of the platform's own configurations. Pure. */
import type { ConfigurationInput } from "@/lib/contract/installation";
import type { Manifest, Setting } from "@/lib/contract/manifest";
import { listSettings } from "@/lib/contract/manifest-terms";
import { Problem, type Issue } from "@/lib/contract/problem";
import { fitsSetting, type KeptSetting } from "@/lib/domain/configuration";
import {
  askedBy,
  mergeAnswers,
  NO_ANSWERS,
  type Answers,
  type MergedAnswers,
} from "@/lib/domain/configuration-answers";
import { SAVED_BY, type LocalCustomer, type LocalSetting } from "./customer-store";
import { productsOf } from "./products";

/** What its configuration lacks. */
export function findMissing(customer: LocalCustomer, manifest: Manifest): Issue[] {
  return merge(customer, manifest, NO_ANSWERS).issues;
}

/** What to store for a save. Throws STALE_REVISION, and BAD_INPUT with every issue. */
export function saveAnswers(
  customer: LocalCustomer,
  manifest: Manifest,
  { revision, ...answers }: ConfigurationInput,
): Pick<LocalCustomer, "settings" | "mappings" | "revision" | "savedAt" | "cause" | "fresh"> {
  if (revision !== customer.revision)
    throw new Problem(
      "STALE_REVISION",
      `Revision ${customer.revision} was saved in the meantime. Compare, then save again.`,
    );
  const merged = merge(customer, manifest, answers);
  if (merged.issues.length > 0)
    throw new Problem("BAD_INPUT", "Some answers are not valid. Fix them and save again.", merged.issues);
  const settings = applyOutcomes(customer, manifest, merged);
  const savedAt = new Date().toISOString();
  return {
    ...{ settings, mappings: merged.mappings, revision: revision + 1, savedAt },
    ...{ cause: "configure", fresh: false },
  };
}

/** What the rules need to know of a stored answer. */
export function toKept(stored: LocalSetting, setting: Setting): KeptSetting {
  return stored.kind === "plain"
    ? stored
    : { kind: "sealed", type: stored.type, fits: fitsSetting(setting, stored.value) };
}

/** Merges answers with what is stored. Writes nothing. */
function merge(customer: LocalCustomer, manifest: Manifest, answers: Answers): MergedAnswers {
  const kept = new Map<string, KeptSetting>();
  for (const setting of listSettings(manifest)) {
    const stored = customer.settings[setting.name];
    if (stored !== undefined) kept.set(setting.name, toKept(stored, setting));
  }
  const productNames = productsOf(customer.productSet).map(({ name }) => name);
  return mergeAnswers(askedBy(manifest), { kept, mappings: customer.mappings, productNames }, answers);
}

/** Answers that the manifest doesn't declare now are kept, because it may declare them again a moment later. */
function applyOutcomes(
  { settings: stored }: LocalCustomer,
  manifest: Manifest,
  { outcomes }: MergedAnswers,
): Record<string, LocalSetting> {
  const declared = new Map(listSettings(manifest).map((setting) => [setting.name, setting]));
  const updatedAt = new Date().toISOString();
  const undeclared = Object.entries(stored).filter(([name]) => !declared.has(name));
  const answered = outcomes.flatMap((outcome): [string, LocalSetting][] => {
    const { name } = outcome;
    const kept = stored[name];
    if (outcome.store === "keep") return kept === undefined ? [] : [[name, kept]];
    if (outcome.store === "plain") return [[name, { kind: "plain", value: outcome.value }]];
    const type = declared.get(name)?.type ?? "Password";
    return [[name, { kind: "sealed", value: outcome.value, type, updatedAt, by: SAVED_BY }]];
  });
  return Object.fromEntries([...undeclared, ...answered]);
}
