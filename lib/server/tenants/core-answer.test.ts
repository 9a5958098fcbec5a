import { expect, test } from "vitest";
import { readAnswer, SAMPLE_BYTES } from "./core-answer";

const ADDRESS = "https://core.example/products";
const product = (more: object = {}) => JSON.stringify({ products: [{ name: "Auto", schema: {}, ...more }] });
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

test("products come with what they have", () => {
  expect(readAnswer(product(), ADDRESS)).toEqual([{ name: "Auto", schema: {} }]);
  expect(readAnswer(product({ sample: { vin: "1" } }), ADDRESS)).toEqual([
    { name: "Auto", schema: {}, sample: { vin: "1" } },
  ]);
  expect(readAnswer(product({ sample: null }), ADDRESS)).toEqual([{ name: "Auto", schema: {} }]);
});

// Guarantee: a sample is a convenience: one that is too large is left out, the product stays.
test("a sample has its limit", () => {
  const fits = { text: "x".repeat(SAMPLE_BYTES - '{"text":""}'.length) };
  expect(readAnswer(product({ sample: fits }), ADDRESS)).toMatchObject([{ sample: fits }]);
  const larger = { text: `${fits.text}x` };
  expect(readAnswer(product({ sample: larger }), ADDRESS)).toEqual([{ name: "Auto", schema: {} }]);
});

const hostile: [what: string, text: string][] = [
  ["a schema a hundred deep", product().replace("{}", `{"a":${nested(100)}}`)],
  ["a schema two thousand deep", product().replace("{}", `{"a":${nested(2_000)}}`)],
  ["a schema two hundred thousand deep", product().replace("{}", `{"a":${nested(200_000)}}`)],
  ["a NUL", product({ schema: { title: "\0" } })],
  ["a NUL in a key", product({ schema: { "\0": 1 } })],
  ["half a surrogate pair", String.raw`{"products":[{"name":"Auto","schema":{"title":"\ud800"}}]}`],
  ["a product without a schema", '{"products":[{"name":"Auto"}]}'],
  ["a schema that is a list", product({ schema: [] })],
  ["text", "hello"],
  ["nothing", ""],
];

// Guarantee: whatever a core answers, the words say what it should have answered, and nothing breaks.
test.each(hostile)("%s", (_what, text) => {
  expect(readAnswer(text, ADDRESS)).toMatch(/did not answer \{ "products"/);
});

// Guarantee: a product that is taken can be mapped, and no record can have a member of these names.
test.each(["__proto__", "constructor", "prototype"])("a product is not called %s", (name) => {
  const words = `lists a product called '${name}', a name that JavaScript reserves. Give it another name.`;
  expect(readAnswer(product({ name }), ADDRESS)).toBe(`${ADDRESS} ${words}`);
});

test("a schema may have members of these names", () => {
  const text = '{"products":[{"name":"Auto","schema":{"properties":{"__proto__":{"type":"string"}}}}]}';
  expect(readAnswer(text, ADDRESS)).toMatchObject([{ name: "Auto" }]);
});

// Guarantee: what is refused is what PostgreSQL cannot hold, not what merely looks like it as JSON text.
test("a pattern that names characters is taken as it is", () => {
  const schema = { pattern: String.raw`^[^\u0000-\u001f\ud800]+$`, [String.raw`\u0000`]: "\u{1F697}" };
  expect(readAnswer(product({ schema }), ADDRESS)).toEqual([{ name: "Auto", schema }]);
});
