import fc from "fast-check";
import { expect, test } from "vitest";
import { schemaDigest } from "./product-queries";

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
};

// Guarantee: a schema whose keys are in another order has not changed.
test("the order of keys makes no difference", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => schemaDigest(value) === schemaDigest(reversed(value))));
});

test.each([
  [{ a: 1 }, { a: "1" }],
  [{ a: [1, 2] }, { a: [2, 1] }],
  [{ a: { b: 1 } }, { "a.b": 1 }],
  [{ type: "string" }, { type: "string", title: "VIN" }],
  [{ a: null }, {}],
])("%j and %j differ", (one, other) => {
  expect(schemaDigest(one)).not.toBe(schemaDigest(other));
});

test("the digest is SHA-256 in hex", () => {
  expect(schemaDigest({})).toBe("44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
});
