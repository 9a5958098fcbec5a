import fc from "fast-check";
import { expect, test } from "vitest";
import { acceptsOperation, matchPattern } from "./match-pattern";

// Guarantee: an app gets the events that its manifest names, and no others.
test.each([
  ["policy.issued", "policy.issued", true],
  ["policy.issued", "policy.cancelled", false],
  ["policy.issued", "policy.issued.late", false],
  ["policy.*", "policy.issued", true],
  ["policy.*", "policy.issued.late", true],
  ["policy.*", "policy", false],
  ["*.issued", "policy.issued", true],
  ["*.issued", "a.policy.issued", false],
  ["a.*.c", "a.b.c", true],
  ["a.*.c", "a.b.b.c", false],
  ["*", "anything.at.all", true],
  ["pol*", "policy", false],
])("%s names %s: %s", (pattern, name, expected) => {
  expect(matchPattern(pattern, name)).toBe(expected);
});

test("a name without '*' matches itself and nothing longer", () => {
  const name = fc
    .array(fc.stringMatching(/^[a-z0-9_-]{1,8}$/), { minLength: 1, maxLength: 5 })
    .map((parts) => parts.join("."));
  fc.assert(
    fc.property(name, name, (pattern, other) => {
      expect(matchPattern(pattern, other)).toBe(pattern === other);
      expect(matchPattern(pattern, `${pattern}.${other}`)).toBe(false);
    }),
  );
});

// Guarantee: a route with declared operations accepts those only; only `*` also accepts calls that name none.
test.each([
  [["newBusiness.*"], "newBusiness.create", true],
  [["newBusiness.*", "endorsement.*"], "endorsement.create", true],
  [["newBusiness.*"], "renewal.create", false],
  [["newBusiness.*"], undefined, false],
  [["newBusiness.*"], 7, false],
  [["*"], undefined, true],
  [["*"], "anything", true],
  [["*.create"], undefined, false],
  [[], undefined, true],
])("a route with %j accepts %j: %s", (declared, operation, accepts) => {
  expect(acceptsOperation(declared, operation)).toBe(accepts);
});
