/** A made-up customer's answers, by the rules of the platform's own configurations. Pure. */
import { randomBytes } from "node:crypto";
import type { ConfigurationInput, StateRecord } from "@/lib/contract/catalog/configuration";
import type { Manifest, Setting } from "@/lib/contract/catalog/manifest";
import type { ConfigurationView } from "@/lib/contract/installations/configuration-view";
import { checksConfiguration, isSensitive, listSettings } from "@/lib/contract/platform/manifest-terms";
import { type Issue, Problem } from "@/lib/contract/platform/problem";
import { suggestSlug } from "@/lib/domain/accounts/organization";
import {
  type Answers,
  askedBy,
  canKeep,
  fitsSetting,
  type KeptSetting,
  knownMappingField,
  knownSetting,
  mergeAnswers,
  type MergedAnswers,
  NO_ANSWERS,
  viewSettings,
} from "@/lib/domain/catalog/configuration";
import { inventMappings } from "@/lib/domain/catalog/mapping/suggest-paths";
import { inventSetting } from "@/lib/domain/moderation/plan-evidence";
import { type LocalCustomer, type LocalSetting, productsOf, SAVED_BY } from "./customer-store";

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
    settings,
    mappings: merged.mappings,
    revision: revision + 1,
    savedAt,
    cause: "configure",
    fresh: false,
  };
}

/** What the rules need to know of a stored answer. */
function toKept(stored: LocalSetting, setting: Setting): KeptSetting {
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

/**
 * Makes up answers to everything, or only to what is missing, so that the first call works before anybody has filled in a form.
 *
 * @param index of the customer, because answers of customers should differ
 */
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
  const mappings = inventMappings(fields, productsOf(customer.productSet), `sample-${marker}`).map(
    (mapping) => {
      const wanted = Object.entries(mapping.fields).filter(
        ([name]) => which === "all" || !isMapped(mapping.productName, name),
      );
      return [mapping.productName, Object.fromEntries(wanted)] as const;
    },
  );
  return {
    revision: customer.revision,
    settings: Object.fromEntries(settings),
    mappings: fields.length === 0 ? {} : Object.fromEntries(mappings),
  };
}

/** Made-up products never change. */
const CHANGED_AT = "2026-01-01T00:00:00.000Z";

/** What the form of its configuration shows. */
export function viewConfiguration(customer: LocalCustomer, manifest: Manifest): ConfigurationView {
  const { id: installationId, name: tenantName, revision, cause, savedAt, mappings } = customer;
  const { name, version } = manifest;
  const declared = listSettings(manifest).map(knownSetting);
  return {
    installationId,
    name,
    title: appTitle(manifest),
    version,
    tenantName,
    test: true,
    revision,
    cause,
    savedAt,
    savedBy: SAVED_BY,
    declared,
    mappingFields: (manifest.core?.fields ?? []).map(knownMappingField),
    checksConfiguration: checksConfiguration(manifest),
    settings: viewSettings(declared, customer.settings),
    mappings,
    products: productsOf(customer.productSet).map((product) => ({
      ...product,
      changedAt: CHANGED_AT,
      changedSinceMapped: false,
    })),
  };
}

export function appTitle({ name }: Pick<Manifest, "name">): string {
  return name.split("/").at(-1) ?? name;
}

/** What the app reads, without the token. Answers that don't fit the manifest are left out. */
export function toRecord(
  customer: LocalCustomer,
  manifest: Manifest,
  coreApiUrl: string,
): Omit<StateRecord, "token"> {
  const settings = listSettings(manifest).flatMap((setting): [string, string][] => {
    const stored = customer.settings[setting.name];
    return stored !== undefined && canKeep(setting, toKept(stored, setting))
      ? [[setting.name, stored.value]]
      : [];
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

export interface Secret {
  name: string;
  value: string;
}

/** Shorter ones would remove ordinary text. */
const SHORTEST = 4;

/** Names of the settings whose values nobody may read back: declared so now, or entered as such. */
export function listSecretNames(customer: LocalCustomer, manifest: Manifest): string[] {
  const declared = listSettings(manifest)
    .filter(isSensitive)
    .map(({ name }) => name);
  const sealed = Object.entries(customer.settings).filter(([, { kind }]) => kind === "sealed");
  return [...new Set([...declared, ...sealed.map(([name]) => name)])];
}

export function listSecrets(customer: LocalCustomer, manifest: Manifest): Secret[] {
  const settings = listSecretNames(customer, manifest).flatMap((name) => {
    const value = customer.settings[name]?.value;
    return value === undefined ? [] : [{ name, value }];
  });
  return [...settings, { name: "webhook secret", value: customer.webhookSecret }];
}

export function maskSecrets(text: string, secrets: readonly Secret[]): string {
  return secrets
    .filter(({ value }) => value.length >= SHORTEST)
    .reduce((masked, { name, value }) => masked.replaceAll(value, `[secret: ${name}]`), text)
    .replace(/\bpsk_[\w-]{100,}/g, "[state key]")
    .replace(/\beyJ[\w-]{20,}\.[\w-]{20,}\.[\w-]{20,}/g, "[token]");
}
