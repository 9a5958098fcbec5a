/** A made-up customer's answers, by the rules of the platform's own configurations. */
import { randomBytes } from "node:crypto";
import type { ConfigurationView } from "@/lib/contract/configuration-view";
import type { ConfigurationInput } from "@/lib/contract/installation";
import type { Manifest } from "@/lib/contract/manifest";
import { checksConfiguration, isSensitive, listSettings } from "@/lib/contract/manifest-terms";
import { Problem, type Issue } from "@/lib/contract/problem";
import { canKeep, fitsSetting, type KeptSetting } from "@/lib/domain/configuration";
import {
  askedBy,
  mergeAnswers,
  NO_ANSWERS,
  type Answers,
  type MergedAnswers,
} from "@/lib/domain/configuration-answers";
import { inventMappings, inventSetting } from "@/lib/domain/evidence/invent-answers";
import { suggestSlug } from "@/lib/domain/slug";
import { knownMappingField, knownSetting, viewSettings } from "@/lib/domain/view-settings";
import type { LocalCustomer, LocalSetting } from "./customer-store";
import { policyHolderOf, productsOf } from "./products";

/** Who saves answers. A name, because sentences begin with it and contain it. */
const BY = "Test User";
/** Made-up products never change. */
const CHANGED_AT = "2026-01-01T00:00:00.000Z";

export function viewConfiguration(customer: LocalCustomer, manifest: Manifest): ConfigurationView {
  const declared = listSettings(manifest).map(knownSetting);
  const mappingFields = (manifest.core?.fields ?? []).map(knownMappingField);
  const products = productsOf(customer.productSet).map((product) => ({
    ...product,
    changedAt: CHANGED_AT,
    changedSinceMapped: false,
  }));
  const { id: installationId, revision, cause, savedAt, mappings } = customer;
  return {
    ...{ installationId, name: manifest.name, title: appTitle(manifest), version: manifest.version },
    ...{
      test: true,
      tenantName: customer.name,
      revision,
      cause,
      savedAt,
      savedBy: BY,
      declared,
      mappingFields,
    },
    checksConfiguration: checksConfiguration(manifest),
    settings: viewSettings(declared, customer.settings),
    ...{ mappings, products },
  };
}

export function appTitle({ name }: Pick<Manifest, "name">): string {
  return name.split("/").at(-1) ?? name;
}

/** Merges answers with what is stored. Writes nothing. */
export function mergeLocal(customer: LocalCustomer, manifest: Manifest, answers: Answers): MergedAnswers {
  const kept = new Map<string, KeptSetting>();
  for (const setting of listSettings(manifest)) {
    const stored = customer.settings[setting.name];
    if (stored?.kind === "plain") kept.set(setting.name, stored);
    if (stored?.kind === "sealed")
      kept.set(setting.name, { kind: "sealed", type: stored.type, fits: fitsSetting(setting, stored.value) });
  }
  const productNames = productsOf(customer.productSet).map(({ name }) => name);
  return mergeAnswers(askedBy(manifest), { kept, mappings: customer.mappings, productNames }, answers);
}

/** What its configuration lacks. */
export function findMissing(customer: LocalCustomer, manifest: Manifest): Issue[] {
  return mergeLocal(customer, manifest, NO_ANSWERS).issues;
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
  const merged = mergeLocal(customer, manifest, answers);
  if (merged.issues.length > 0)
    throw new Problem("BAD_INPUT", "Some answers are not valid. Fix them and save again.", merged.issues);
  const settings = applyOutcomes(customer, manifest, merged);
  const savedAt = new Date().toISOString();
  return {
    ...{ settings, mappings: merged.mappings, revision: revision + 1, savedAt },
    ...{ cause: "configure", fresh: false },
  };
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
    return [[name, { kind: "sealed", value: outcome.value, type, updatedAt, by: BY }]];
  });
  return Object.fromEntries([...undeclared, ...answered]);
}

/** Made-up answers: to everything, or only to what is missing. */
export function inventAnswers(
  customer: LocalCustomer,
  manifest: Manifest,
  index: number,
  which: "all" | "missing",
): ConfigurationInput {
  const marker = `${suggestSlug(customer.name).split("-")[0] ?? "customer"}${randomBytes(2).toString("hex")}`;
  const secret = randomBytes(4).toString("hex");
  const missing = new Set(findMissing(customer, manifest).map(({ pointer }) => pointer));
  const settings = listSettings(manifest)
    .filter(({ name }) => which === "all" || missing.has(`/settings/${name}`))
    .map((setting) => {
      const { value } = inventSetting(setting, index, { marker, secret });
      return [setting.name, { action: "set" as const, value }] as const;
    });
  const fields = manifest.core?.fields ?? [];
  const isMapped = (product: string, field: string) =>
    customer.mappings.find(({ productName }) => productName === product)?.fields[field] !== undefined;
  const mappings = inventMappings(fields, productsOf(customer.productSet), marker).map((mapping) => {
    const wanted = Object.entries(mapping.fields).filter(
      ([name]) => which === "all" || !isMapped(mapping.productName, name),
    );
    return [mapping.productName, Object.fromEntries(wanted)] as const;
  });
  return {
    revision: customer.revision,
    settings: Object.fromEntries(settings),
    mappings: fields.length === 0 ? {} : Object.fromEntries(mappings),
  };
}

/** What the app reads, without the token. Answers that don't fit the manifest are left out. */
export function toRecord(customer: LocalCustomer, manifest: Manifest, coreApiUrl: string) {
  const settings = listSettings(manifest).flatMap((setting): [string, string][] => {
    const stored = customer.settings[setting.name];
    if (stored === undefined) return [];
    const kept: KeptSetting =
      stored.kind === "plain"
        ? stored
        : { kind: "sealed", type: stored.type, fits: fitsSetting(setting, stored.value) };
    return canKeep(setting, kept) ? [[setting.name, stored.value]] : [];
  });
  const names = new Set((manifest.core?.fields ?? []).map(({ name }) => name));
  const mappings = productsOf(customer.productSet).map(({ name: productName }) => {
    const stored = customer.mappings.find((mapping) => mapping.productName === productName)?.fields ?? {};
    const fields = Object.entries(stored).filter(([name]) => names.has(name));
    return { productName, fields: Object.fromEntries(fields) };
  });
  const { tenantHostName } = customer;
  return { settings: Object.fromEntries(settings), mappings, coreApiUrl, tenantHostName };
}

/** Names of the settings whose values nobody may read back: declared so now, or entered as such. */
export function listSecretNames(customer: LocalCustomer, manifest: Manifest): string[] {
  const declared = listSettings(manifest)
    .filter(isSensitive)
    .map(({ name }) => name);
  const sealed = Object.entries(customer.settings).filter(([, { kind }]) => kind === "sealed");
  return [...new Set([...declared, ...sealed.map(([name]) => name)])];
}

/** Texts that only this customer's state and core contain, compared with another customer. */
export function listMarkers(customer: LocalCustomer, other: LocalCustomer, manifest: Manifest): string[] {
  const values = listSettings(manifest)
    .filter(({ type }) => type !== "Select")
    .flatMap(({ name }) => {
      const own = customer.settings[name]?.value;
      return own !== undefined && own.length >= 4 && own !== other.settings[name]?.value ? [own] : [];
    });
  return [...values, customer.tenantHostName, policyHolderOf(customer.name)];
}
