import fc from "fast-check";
import { expect, test } from "vitest";
import { slug } from "@/lib/contract/platform/text";
import { apiKeyState, suggestSlug } from "./organization";

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
