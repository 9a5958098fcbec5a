import fc from "fast-check";
import { expect, test } from "vitest";
import { catalogSchema, EVENT_CATALOG } from "@/lib/contract/calls/event-catalog";
import {
  acceptsOperation,
  listMembers,
  matchPattern,
  patternsMatching,
  readOperation,
  requireEvent,
  requireOperation,
} from "./events";

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

test("an event that no webhook receives is refused with the events that it does", () => {
  requireEvent(["policy.*"], "policy.issued");
  expect(() => requireEvent(["policy.*", "quote.issued"], "claim.opened")).toThrow(
    /only these events: policy\.\*, quote\.issued\. "claim\.opened" is not one of them/,
  );
});

// Guarantee: a core may name an operation in one member or in two, and the record of the call has its whole name.
test.each<[string[], object, string | undefined]>([
  [["endorsement.update"], { operation: "endorsement", operationType: "update" }, "endorsement.update"],
  [["newBusiness.*"], { operation: "newBusiness", operationType: "create" }, "newBusiness.create"],
  [["newBusiness.create"], { operation: "newBusiness.create" }, "newBusiness.create"],
  [
    ["newBusiness.create"],
    { operation: "newBusiness.create", operationType: "create" },
    "newBusiness.create",
  ],
  [["endorsement"], { operation: "endorsement", operationType: "update" }, "endorsement.update"],
  [["renewal"], { operation: "renewal", operationType: "" }, "renewal"],
  [["renewal"], { operation: "renewal", operationType: null }, "renewal"],
  [["*"], { operationType: "update" }, undefined],
])("a route with %j accepts %j", (declared, payload, operation) => {
  expect(requireOperation(declared, payload)).toBe(operation);
  expect(readOperation(payload)).toBe(operation);
});

test.each<[string[], object, RegExp]>([
  [["newBusiness.*"], { operation: "endorsement", operationType: "update" }, /"endorsement.update" is not/],
  [["endorsement.create"], { operation: "endorsement", operationType: "update" }, /as "operationType"/],
  [["endorsement.*"], { operation: "endorsement" }, /"endorsement" is not one of them/],
  [["endorsement.*"], { operationType: "update" }, /has none/],
])("a route with %j refuses %j", (declared, payload, detail) => {
  expect(() => requireOperation(declared, payload)).toThrow(detail);
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

test("members are listed with their type, and objects before their own members", () => {
  const cancelled = EVENT_CATALOG.find(({ type }) => type === "policy.cancelled");
  const members = cancelled === undefined ? [] : listMembers(catalogSchema(cancelled, ""), "/data");
  expect(members).toMatchObject([
    { path: "data.policyLocator", type: "string", required: true },
    { path: "data.productName" },
    { path: "data.cancellationDate", type: "date", description: "Day on which coverage ends." },
    { path: "data.reason" },
    { path: "data.refund", type: "object", required: false },
    { path: "data.refund.amount", type: "string", required: true },
    { path: "data.refund.currency" },
  ]);
});

// Guarantee: the page of the catalog says what every member is.
test.each(EVENT_CATALOG)("each member of $type is described", (event) => {
  for (const { path, description } of listMembers(catalogSchema(event, ""), "/data"))
    if (!path.endsWith(".email")) expect(description, path).not.toBe("");
});

test("a schema without members has none", () => {
  expect(listMembers({}, "/data")).toEqual([]);
  expect(listMembers({ properties: { data: { properties: { a: {}, b: 1 } } } }, "/data")).toEqual([
    { path: "data.a", type: "any", required: false, description: "" },
  ]);
});
