import fc from "fast-check";
import { expect, test } from "vitest";
import { acceptsOperation, matchPattern, patternsMatching } from "./match-pattern";

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

// Guarantee: the statement that stores an event finds the same subscribers as the rule above.
test("the patterns of a name are those that match it", () => {
  const part = fc.constantFrom("a", "b", "ab", "a-b", "_", "*");
  const dotted = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join("."));
  fc.assert(
    fc.property(dotted, dotted, (pattern, name) => {
      expect(new RegExp(patternsMatching(name)).test(pattern)).toBe(matchPattern(pattern, name));
    }),
    { numRuns: 2_000 },
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
