/** A publisher's privacy declaration, as a listing shows it and as reviews compare it. */
import type { PrivacyDeclaration } from "@/lib/contract/catalog/listing";
import { COUNTRIES, DATA_KIND_NAMES, DATA_KINDS } from "@/lib/contract/catalog/listing-terms";
import type { Manifest } from "@/lib/contract/catalog/manifest";

export const EMPTY_PRIVACY: PrivacyDeclaration = {
  data: [],
  otherData: "",
  storedOutside: null,
  countries: [],
  subProcessors: [],
  retention: "",
  contact: "",
};

const names = new Intl.DisplayNames("en", { type: "region" });

/** What is no country's code is shown as it is: a publisher may be typing it. */
export function nameCountry(code: string): string {
  return COUNTRIES.includes(code) ? (names.of(code) ?? code) : code;
}

/** The code of a country that was typed by its name or its code; otherwise what was typed. */
export function readCountry(typed: string): string {
  const text = typed.trim();
  const code = text.toUpperCase();
  if (COUNTRIES.includes(code)) return code;
  return COUNTRIES.find((each) => nameCountry(each).toUpperCase() === code) ?? text;
}

interface DeclaredPart {
  title: string;
  lines: string[];
}

/** Everything that a declaration says, in the order of its table. */
export function describePrivacy(declared: PrivacyDeclaration): DeclaredPart[] {
  const { data, otherData, storedOutside, countries, subProcessors, retention, contact } = declared;
  const kinds = DATA_KINDS.filter((kind) => data.includes(kind)).map((kind) => DATA_KIND_NAMES[kind]);
  return [
    { title: "Accesses", lines: [...kinds, ...(otherData === "" ? [] : [otherData])] },
    { title: "Stores data outside your core", lines: [sayStored(storedOutside, countries)] },
    { title: "Keeps it for", lines: retention === "" ? ["Not said"] : [sayRetention(retention)] },
    {
      title: "Sub-processors",
      lines:
        subProcessors.length === 0
          ? ["None"]
          : subProcessors.map(
              ({ name, purpose, country }) => `${name} (${nameCountry(country)}): ${purpose}`,
            ),
    },
    { title: "Contact for privacy", lines: [contact === "" ? "Not said" : contact] },
  ];
}

function sayStored(storedOutside: boolean | null, countries: readonly string[]): string {
  if (storedOutside === null) return "Not said";
  if (!storedOutside) return "No";
  return countries.length === 0 ? "Yes" : `Yes, in ${countries.map(nameCountry).sort().join(", ")}`;
}

function sayRetention(retention: string): string {
  if (!/^\d{1,6}$/.test(retention)) return retention;
  const days = Number(retention);
  return `${days.toLocaleString("en-US")} ${days === 1 ? "day" : "days"}`;
}

/** As lines, which reviews compare. Empty without a declaration. */
export function printPrivacy(declared: PrivacyDeclaration | null | undefined): string {
  if (declared === null || declared === undefined) return "";
  return describePrivacy(declared)
    .map(({ title, lines }) => `${title}:\n${lines.map((line) => `- ${line}`).join("\n")}`)
    .join("\n");
}

/** The same declaration always has the same members in the same order. */
export function orderPrivacy(declared: PrivacyDeclaration): PrivacyDeclaration {
  const { data, otherData, storedOutside, countries, subProcessors, retention, contact } = declared;
  return {
    data: DATA_KINDS.filter((kind) => data.includes(kind)),
    otherData,
    storedOutside,
    countries: [...countries],
    subProcessors: subProcessors.map(({ name, purpose, country }) => ({ name, purpose, country })),
    retention,
    contact,
  };
}

/** For moderators: the app can send data to hosts, and its publisher doesn't say that any data leaves. Undefined if that fits. */
export function warnOfPrivacy(
  { core }: Manifest,
  declared: PrivacyDeclaration | null | undefined,
): string | undefined {
  if (core?.hosts?.length === 0) return undefined;
  const saysSo = declared?.storedOutside === true || (declared?.subProcessors.length ?? 0) > 0;
  if (saysSo) return undefined;
  const hosts = sayHosts(core?.hosts?.length);
  return declared === null || declared === undefined
    ? `${hosts}, and the listing has no privacy declaration. Ask the publisher what is sent there.`
    : `${hosts}, but the privacy declaration says that no data is stored outside the core and lists no sub-processors. Ask the publisher what is sent there.`;
}

function sayHosts(count: number | undefined): string {
  if (count === undefined) return "The app can connect to any host on the internet";
  return `The manifest declares ${count === 1 ? "one host" : `${count} hosts`}`;
}
