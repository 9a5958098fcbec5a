/** What an app connects to, asks for and reads, in the words of somebody who has never seen a manifest. */
import type { Manifest } from "@/lib/contract/manifest";
import { isSensitive, listSettings } from "@/lib/contract/manifest-terms";

export interface AppDescription {
  /** What makes the platform call the app, and what others can reach through it. */
  connects: string[];
  asks: string[];
  reads: string[];
}

const NAMED = 6;

export function describeApp(manifest: Manifest): AppDescription {
  const { core } = manifest;
  const settings = listSettings(manifest);
  const secrets = settings.filter(isSensitive);
  const fields = core?.fields ?? [];
  const publicEndpoints = (core?.endpoints ?? []).filter(({ access }) => access === "public");
  return {
    connects: [
      ...listed("Is notified of", (core?.webhooks ?? []).flatMap(({ events }) => events).map(sayPattern)),
      ...listed(
        "Fills in form fields during",
        (core?.autofill ?? []).flatMap(({ operations }) => operations).map(sayPattern),
      ),
      ...listed(
        "Prices policies as",
        (core?.externalRaters ?? []).map(({ name }) => name),
      ),
      ...listed(
        "Can be reached from the internet, once you open it:",
        publicEndpoints.map(({ title }) => title),
      ),
    ],
    asks: [
      ...listed(
        "Settings:",
        settings.filter((setting) => !isSensitive(setting)).map(({ title }) => title),
      ),
      ...listed(
        "Secrets, which are stored encrypted:",
        secrets.map(({ title }) => title),
      ),
    ],
    reads: listed(
      "These fields, which you map for each product:",
      fields.map(({ title }) => title),
    ),
  };
}

/** `policy.issued` → "policy issued", `newBusiness.*` → "new business". */
function sayPattern(pattern: string): string {
  if (/^\*(\.\*)*$/.test(pattern)) return "everything";
  return pattern
    .replace(/(\.\*)+$/, "")
    .replaceAll("*", "any")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/[._-]+/g, " ")
    .toLowerCase();
}

function listed(words: string, names: string[]): string[] {
  const unique = [...new Set(names)];
  if (unique.length === 0) return [];
  const shown = unique.slice(0, NAMED);
  const more = unique.length - shown.length;
  return [`${words} ${shown.join(", ")}${more > 0 ? `, and ${more} more` : ""}`];
}
