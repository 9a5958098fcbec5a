/** Which values of a customer are secret, and how they are removed from what the app wrote. Pure. */
import type { Manifest } from "@/lib/contract/manifest";
import { isSensitive, listSettings } from "@/lib/contract/manifest-terms";
import type { LocalCustomer } from "./customer-store";

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
