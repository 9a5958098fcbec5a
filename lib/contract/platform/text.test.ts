import fc from "fast-check";
import { v7 } from "uuid";
import { expect, test } from "vitest";
import { signUpInput } from "../accounts/account";
import { apiKeyInput } from "../accounts/api-key";
import { decisionInput, listingInput } from "../catalog/listing";
import { tenantInput } from "./core";
import { commentInput, reportInput, suspensionInput } from "../moderation/review";
import { canBeStored, firstIdWithin, makeStorable, toStorableJson } from "./text";
import { shownText } from "./text-shapes";

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

// Guarantee: where words are needed, nobody reads an empty line.
test.each([
  ...inputs.filter(([what]) => what !== "a listing's prose"),
  ["a report", (text) => reportInput.safeParse({ text })],
  ["a comment", (body) => commentInput.safeParse({ body })],
  ["a suspension's reason", (reason) => suspensionInput.safeParse({ reason })],
  ["a rejection's note", (note) => decisionInput.safeParse({ decision: "reject", note })],
] satisfies typeof inputs)("invisible characters alone are no text: %s", (_what, parse) => {
  for (const blank of [
    "\u200B".repeat(20),
    " \u2060\uFEFF ".repeat(5),
    "\u3164".repeat(20),
    "\u00AD".repeat(20),
  ])
    expect(parse(blank).success).toBe(false);
  expect(parse("Words that are read").success).toBe(true);
});

test("a text that must have a length has it in visible characters, and keeps the others", () => {
  expect(reportInput.safeParse({ text: `It is${"\u200B".repeat(9)}` }).success).toBe(false);
  expect(reportInput.safeParse({ text: "" }).error?.issues.map(({ message }) => message)).toEqual([
    "Describe the problem in at least 10 characters.",
  ]);
  expect(shownText.parse(" 👩\u200D💻 \u05D0\u200F ")).toBe("👩\u200D💻 \u05D0\u200F");
});

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

// Guarantee: whatever a value contains, its JSON can be stored, and only what can't be is replaced.
test("JSON is made storable in values and names, and otherwise unchanged", () => {
  const written = String.raw`{"a\b":"\u0000 as text \\u0000","n":[null,1,true]}`;
  expect(toStorableJson(JSON.parse(JSON.stringify({ a: written })))).toBe(JSON.stringify({ a: written }));
  expect(toStorableJson({ "\0k": ["\uD83D", "\u{1F600}", "\\\0"] })).toBe(
    JSON.stringify({ "\uFFFDk": ["\uFFFD", "\u{1F600}", "\\\uFFFD"] }),
  );
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("\0", "\uD800", "\\", "u0000"))),
      (parts) => {
        const text = parts.join("");
        expect(JSON.parse(toStorableJson({ [text]: text }))).toEqual({
          [makeStorable(text)]: makeStorable(text),
        });
        expect(canBeStored(makeStorable(text))).toBe(true);
        if (canBeStored(text)) expect(makeStorable(text)).toBe(text);
      },
    ),
  );
});

// Guarantee: the lower bound of a recent period loses no row, even if the clock that numbered it was minutes behind.
test("the first id of the last hour is before all ids of the last hour", () => {
  const now = Date.UTC(2026, 10, 28, 12);
  const idAt = (ms: number) => v7({ msecs: ms, random: new Uint8Array(16) });
  const first = firstIdWithin(3_600_000, now);
  expect(idAt(now - 3_600_000) > first).toBe(true);
  expect(idAt(now - 3_600_000 - 4 * 60_000) > first).toBe(true);
  expect(idAt(now - 3_600_000 - 6 * 60_000) > first).toBe(false);
});
