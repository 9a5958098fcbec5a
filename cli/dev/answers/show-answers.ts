/** What a customer's answers look like: to people in the form, and to the app in its state. Pure. */
import type { ConfigurationView } from "@/lib/contract/configuration-view";
import type { Manifest } from "@/lib/contract/manifest";
import { checksConfiguration, listSettings } from "@/lib/contract/manifest-terms";
import type { StateRecord } from "@/lib/contract/state-record";
import { canKeep } from "@/lib/domain/configuration";
import { knownMappingField, knownSetting, viewSettings } from "@/lib/domain/view-settings";
import { SAVED_BY, type LocalCustomer } from "./customer-store";
import { toKept } from "./merge-answers";
import { productsOf } from "./products";

/** Made-up products never change. */
const CHANGED_AT = "2026-01-01T00:00:00.000Z";

/** What the form of its configuration shows. */
export function viewConfiguration(customer: LocalCustomer, manifest: Manifest): ConfigurationView {
  const { id: installationId, name: tenantName, revision, cause, savedAt, mappings } = customer;
  const { name, version } = manifest;
  const declared = listSettings(manifest).map(knownSetting);
  return {
    ...{ installationId, name, title: appTitle(manifest), version, tenantName, test: true },
    ...{ revision, cause, savedAt, savedBy: SAVED_BY },
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
