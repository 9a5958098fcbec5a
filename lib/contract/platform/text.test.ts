import { expect, test } from "vitest";
import { signUpInput } from "../accounts/account";
import { apiKeyInput } from "../accounts/api-key";
import { decisionInput, listingInput } from "../catalog/listing";
import { tenantInput } from "./core";

const tenant = { name: "Production", hostName: "t.core.example", coreApiUrl: "https://core.example" };
const person = { name: "Ann", email: "ann@acme.example", password: "long enough", organizationSlug: "acme" };
const listing = (title: string, prose: string) => ({
  appName: "vin",
  title,
  about: { product: prose, company: prose, offering: prose },
  requirements: { technicalDetails: prose, launchInstructions: prose, complianceDetails: prose },
});

const inputs: [what: string, parse: (text: string) => { success: boolean; error?: unknown }][] = [
  ["a tenant's name", (name) => tenantInput.safeParse({ ...tenant, name })],
  ["an API key's name", (name) => apiKeyInput.safeParse({ name, scopes: ["publish"], days: 90 })],
  ["a person's name", (name) => signUpInput.safeParse({ ...person, organizationName: "Acme", name })],
  ["a company's name", (organizationName) => signUpInput.safeParse({ ...person, organizationName })],
  ["a listing's title", (title) => listingInput.safeParse(listing(title, "x"))],
  ["a listing's prose", (prose) => listingInput.safeParse(listing("VIN lookup", prose))],
  ["a decision's note", (note) => decisionInput.safeParse({ decision: "return", note })],
];

// Guarantee: text that PostgreSQL cannot store is refused at its field, and all other text is accepted.
test.each(inputs)("%s", (_what, parse) => {
  for (const good of ["Ünïcode", "🚗 car", "a\nb", String.raw`\u0000`])
    expect(parse(good)).toMatchObject({ success: true });
  for (const [broken, words] of [
    ["a\0b", /NUL character/],
    ["\0", /NUL character/],
    ["car \ud83d", /half of a surrogate pair/],
    ["\ude97 car", /half of a surrogate pair/],
  ] as const) {
    const { success, error } = parse(broken);
    expect(success).toBe(false);
    expect(String(error)).toMatch(words);
  }
});
