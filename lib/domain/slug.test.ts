import fc from "fast-check";
import { expect, test } from "vitest";
import { slug } from "@/lib/contract/names";
import { suggestSlug } from "./slug";

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
