import { expect, test } from "vitest";
import { listingText, type PrivacyDeclaration, typedText } from "@/lib/contract/catalog/listing";
import { COUNTRIES } from "@/lib/contract/catalog/listing-terms";
import {
  EMPTY_PRIVACY,
  nameCountry,
  orderPrivacy,
  printPrivacy,
  readCountry,
  warnOfPrivacy,
} from "./privacy";

const DECLARED: PrivacyDeclaration = {
  data: ["claims", "people"],
  otherData: "Chassis numbers",
  storedOutside: true,
  countries: ["DE", "CH"],
  subProcessors: [{ name: "Acme Cloud", purpose: "Hosting", country: "IE" }],
  retention: "30",
  contact: "privacy@acme.example",
};
const text = (privacy: unknown) => ({
  title: "VIN autofill",
  tagline: "",
  category: "data",
  about: { product: "Fills in make and model.", company: "", offering: "" },
  requirements: { technicalDetails: "", launchInstructions: "", complianceDetails: "" },
  links: { support: "", privacy: "", website: "" },
  icon: null,
  screenshots: [],
  privacy,
});
const issuesOf = (changes: Partial<Record<keyof PrivacyDeclaration, unknown>>) =>
  (listingText.safeParse(text({ ...DECLARED, ...changes })).error?.issues ?? []).map(
    ({ path, message }) => `${path.join(".")}: ${message}`,
  );
const processors = (count: number, changes: object = {}) =>
  Array.from({ length: count }, () => ({
    name: "Acme Cloud",
    purpose: "Hosting",
    country: "IE",
    ...changes,
  }));

test("a complete declaration is valid, and so is a text without one", () => {
  for (const privacy of [DECLARED, { ...DECLARED, subProcessors: processors(50) }, null, undefined])
    expect(listingText.safeParse(text(privacy)).error).toBeUndefined();
  expect(issuesOf({ storedOutside: false, countries: [], subProcessors: [], retention: "" })).toEqual([]);
});

// Guarantee: what insurers compare is complete, and says what it seems to say.
test.each([
  [{ data: [], otherData: "" }, "privacy.otherData: Choose what the app accesses"],
  [{ storedOutside: null }, "privacy.storedOutside: Choose whether"],
  [{ countries: [] }, "privacy.countries: Name the countries"],
  [{ retention: "" }, "privacy.retention: Enter how long"],
  [{ contact: "" }, "privacy.contact: Enter an email address"],
  [{ contact: "http://acme.example" }, "privacy.contact: This link is not secure."],
  [{ countries: ["XX"] }, "privacy.countries.0: Enter a country"],
  [{ countries: ["ch"] }, "privacy.countries.0: Enter a country"],
  [{ subProcessors: processors(51) }, "privacy.subProcessors: Name at most 50 sub-processors."],
  [{ subProcessors: processors(1, { name: "" }) }, "privacy.subProcessors.0.name: Enter the company's name."],
  [{ subProcessors: processors(1, { purpose: "Host\u202eing" }) }, "privacy.subProcessors.0.purpose: Remove"],
  [
    { subProcessors: processors(1, { country: "Atlantis" }) },
    "privacy.subProcessors.0.country: Enter a country",
  ],
  [{ otherData: "Names\u2066" }, "privacy.otherData: Remove line breaks, invisible characters"],
  [{ otherData: "Na\u200bmes" }, "privacy.otherData: Remove"],
  [{ retention: "30\ndays" }, "privacy.retention: Remove"],
  [{ retention: "x".repeat(301) }, "privacy.retention: Use at most 300 characters."],
])("refuses %j", (changes, message) => {
  expect(issuesOf(changes)).toEqual([expect.stringContaining(message)]);
});

test("a draft keeps what is not valid yet, but no 51st sub-processor", () => {
  const typed = { ...DECLARED, countries: ["Switz"], contact: "priv", storedOutside: null };
  expect(typedText.safeParse(text(typed)).error).toBeUndefined();
  expect(typedText.safeParse(text({ ...typed, subProcessors: processors(51) })).success).toBe(false);
});

test("every country has a name, and is found by its name and its code", () => {
  expect(COUNTRIES).toHaveLength(249);
  for (const code of COUNTRIES) {
    expect(nameCountry(code), code).not.toBe(code);
    expect(readCountry(nameCountry(code).toLowerCase())).toBe(code);
    expect(readCountry(` ${code.toLowerCase()} `)).toBe(code);
  }
  expect(readCountry(" Atlantis ")).toBe("Atlantis");
  expect(nameCountry("<b>")).toBe("<b>");
});

test("a declaration is printed as lines", () => {
  expect(printPrivacy(DECLARED)).toBe(
    [
      "Accesses:",
      "- Names and contact details of policyholders",
      "- Claims",
      "- Chassis numbers",
      "Stores data outside your core:",
      "- Yes, in Germany, Switzerland",
      "Keeps it for:",
      "- 30 days",
      "Sub-processors:",
      "- Acme Cloud (Ireland): Hosting",
      "Contact for privacy:",
      "- privacy@acme.example",
    ].join("\n"),
  );
  expect(printPrivacy({ ...DECLARED, retention: "1" })).toContain("- 1 day\n");
  expect(printPrivacy({ ...DECLARED, retention: "As long as the policy" })).toContain(
    "- As long as the policy",
  );
  expect(printPrivacy(EMPTY_PRIVACY)).toContain("- Not said");
  expect(printPrivacy(null)).toBe("");
});

test("the order of what was chosen changes nothing", () => {
  expect(orderPrivacy(DECLARED)).toEqual(orderPrivacy({ ...DECLARED, data: ["people", "claims"] }));
  expect(printPrivacy({ ...DECLARED, countries: ["CH", "DE"] })).toBe(printPrivacy(DECLARED));
});

// Guarantee: a moderator notices an app that may send data somewhere, and says nothing of it.
test("hosts without a word about where data goes are a warning", () => {
  const manifest = (hosts: { host: string; purpose: string }[] | undefined) => ({
    name: "acme/vin",
    version: "1.0.0",
    core: { hosts },
  });
  const one = manifest([{ host: "api.vin.example", purpose: "Decodes VINs" }]);
  const silent = { ...DECLARED, storedOutside: false, subProcessors: [] };
  expect(warnOfPrivacy(one, null)).toContain("no privacy declaration");
  expect(warnOfPrivacy(one, silent)).toContain("lists no sub-processors");
  expect(warnOfPrivacy(one, DECLARED)).toBeUndefined();
  expect(warnOfPrivacy(one, { ...silent, subProcessors: DECLARED.subProcessors })).toBeUndefined();
  expect(warnOfPrivacy(manifest([]), null)).toBeUndefined();
  expect(warnOfPrivacy(manifest(undefined), null)).toMatch(/any host on the internet, and .* no privacy/);
  expect(warnOfPrivacy(manifest(undefined), silent)).toMatch(/any host on the internet, but .* no sub-proc/);
  expect(warnOfPrivacy(manifest(undefined), DECLARED)).toBeUndefined();
});
