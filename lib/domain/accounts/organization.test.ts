import fc from "fast-check";
import { expect, test } from "vitest";
import { newOrganizationInput } from "@/lib/contract/accounts/account";
import { canBeStored } from "@/lib/contract/platform/text";
import { slug } from "@/lib/contract/platform/text-shapes";
import { apiKeyState, listAddresses, suggestOwnOrganization, suggestSlug } from "./organization";

test("a suggested slug resembles the name", () => {
  expect(suggestSlug("Hårbor Mutual, Inc.")).toBe("harbor-mutual-inc");
  expect(suggestSlug("3M & Söhne")).toBe("m-sohne");
});

test("every suggestion of two or more characters is a valid slug", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 100 }), (name) => {
      const suggested = suggestSlug(name);
      return suggested.length < 2 || slug.safeParse(suggested).success;
    }),
  );
});

test("an organization that is suggested for a person can be created as it is", () => {
  expect(suggestOwnOrganization("Maya Keller", "3f9a")).toEqual({
    organizationName: "Maya Keller's organization",
    organizationSlug: "maya-keller-3f9a",
  });
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 100 }), (name) => {
      fc.pre(canBeStored(name));
      return newOrganizationInput.safeParse(suggestOwnOrganization(name, "0a1b")).success;
    }),
  );
});

test("addresses are taken from any pasted list, each once", () => {
  expect(
    listAddresses("a@x.example, b@x.example;\r\n Li Wang <li@x.example>\n\nA@X.example\nnot one"),
  ).toEqual(["a@x.example", "b@x.example", "li@x.example", "not one"]);
  expect(listAddresses(" ,\n; ")).toEqual([]);
});

const DAY = 24 * 60 * 60_000;
const at = (days: number) => new Date(days * DAY);

test.each([
  [null, null, "ACTIVE"],
  [null, at(8), "ACTIVE"],
  [null, at(6), "EXPIRES_SOON"],
  [null, at(0), "EXPIRED"],
  [null, at(-1), "EXPIRED"],
  [at(-1), null, "REVOKED"],
  [at(-1), at(-2), "REVOKED"],
] as const)("revoked at %s, expires at %s: %s", (revokedAt, expiresAt, expected) => {
  expect(apiKeyState({ revokedAt, expiresAt }, 0)).toBe(expected);
});
