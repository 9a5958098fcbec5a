/** What an app connects to, asks for and reads, in the words of somebody who has never seen a manifest. */
import { type ListingText, parseHttpsUrl } from "@/lib/contract/catalog/listing";
import { CATEGORY_NAMES, type Connection, imagePath } from "@/lib/contract/catalog/listing-terms";
import type { Host, Manifest } from "@/lib/contract/catalog/manifest";
import { isSensitive, listSettings } from "@/lib/contract/platform/manifest-terms";
import { summarizeMarkdown } from "./markdown";

interface AppDescription {
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

const DOES = {
  webhooks: "reacts to events",
  autofill: "fills in forms",
  raters: "prices policies",
  endpoints: "offers endpoints",
  // Its hosts say it.
  core: undefined,
} as const satisfies Record<Connection, string | undefined>;

/** The same in two short lines for a card: what the platform calls it for, and which hosts it reaches. `hosts`: null for any. */
export function summarizeConnections(app: {
  connections: readonly Connection[];
  hosts: readonly Host[] | null;
}): string[] {
  const does = app.connections.flatMap((connection) => DOES[connection] ?? []).join(", ");
  return [...(does === "" ? [] : [does.charAt(0).toUpperCase() + does.slice(1)]), sayHosts(app.hosts)];
}

function sayHosts(hosts: readonly Host[] | null): string {
  if (hosts === null) return "Can connect to any host on the internet";
  const names = [...new Set(hosts.map(({ host }) => host ?? "a host that you enter"))];
  const [first] = names;
  if (first === undefined) return "Connects only to your core";
  const others = names.length - 1;
  return `Connects to ${first}${others === 0 ? "" : ` and ${others} other ${others === 1 ? "host" : "hosts"}`}`;
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

// What search engines read about an app, in the vocabulary of schema.org.

interface PublicListing extends ListingText {
  organizationSlug: string;
  organizationName: string;
  appName: string;
}

export function describeSoftware(
  listing: PublicListing,
  version: { number: string; createdAt: Date } | undefined,
  webUrl: string,
): object {
  const absolute = (path: string) => new URL(path, webUrl).href;
  const { icon, screenshots, links } = listing;
  return {
    "@context": "https://schema.org",
    "@type": "SoftwareApplication",
    name: listing.title,
    description: listing.tagline || summarizeMarkdown(listing.about.product),
    url: absolute(`/marketplace/${listing.organizationSlug}/${listing.appName}`),
    applicationCategory: "BusinessApplication",
    applicationSubCategory: CATEGORY_NAMES[listing.category],
    operatingSystem: "App Hosting Platform",
    ...(icon === null ? {} : { image: absolute(imagePath(icon)) }),
    ...(screenshots.length === 0
      ? {}
      : { screenshot: screenshots.map(({ image }) => absolute(imagePath(image))) }),
    ...(parseHttpsUrl(links.support) === undefined
      ? {}
      : { softwareHelp: { "@type": "CreativeWork", url: links.support } }),
    ...(version === undefined
      ? {}
      : { softwareVersion: version.number, datePublished: version.createdAt.toISOString() }),
    publisher: {
      "@type": "Organization",
      name: listing.organizationName,
      url: absolute(`/publishers/${listing.organizationSlug}`),
    },
  };
}

/** JSON that can't end the script element that it is in, nor open a comment in it. */
export function toScriptText(data: object): string {
  return JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
