/** Makes answers up, so that the first call works before anybody has filled in a form. */
import { randomBytes } from "node:crypto";
import type { ConfigurationInput } from "@/lib/contract/installation";
import type { Manifest } from "@/lib/contract/manifest";
import { listSettings } from "@/lib/contract/manifest-terms";
import { inventMappings, inventSetting } from "@/lib/domain/evidence/invent-answers";
import { suggestSlug } from "@/lib/domain/slug";
import type { LocalCustomer } from "./customer-store";
import { findMissing } from "./merge-answers";
import { productsOf } from "./products";

/** To everything, or only to what is missing. @param index of the customer, because answers of customers should differ */
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
