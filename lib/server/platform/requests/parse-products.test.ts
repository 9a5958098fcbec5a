import { expect, test } from "vitest";
import { parseProducts, SAMPLE_BYTES } from "./try-core";

const ENDPOINT = "https://core.example/products";
const product = (more: object = {}) => JSON.stringify({ products: [{ name: "Auto", schema: {}, ...more }] });
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

test("a product may have a sample", () => {
  expect(parseProducts(product(), ENDPOINT)).toEqual([{ name: "Auto", schema: {} }]);
  expect(parseProducts(product({ sample: { vin: "1" } }), ENDPOINT)).toEqual([
    { name: "Auto", schema: {}, sample: { vin: "1" } },
  ]);
  expect(parseProducts(product({ sample: null }), ENDPOINT)).toEqual([{ name: "Auto", schema: {} }]);
});

// Guarantee: a sample that is too large is left out; the product stays.
test("samples have a size limit", () => {
  const fits = { text: "x".repeat(SAMPLE_BYTES - '{"text":""}'.length) };
  expect(parseProducts(product({ sample: fits }), ENDPOINT)).toMatchObject([{ sample: fits }]);
  const larger = { text: `${fits.text}x` };
  expect(parseProducts(product({ sample: larger }), ENDPOINT)).toEqual([{ name: "Auto", schema: {} }]);
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

// Guarantee: whatever a core sends, nothing breaks, and the message says what it should send.
test.each(hostile)("%s", (_what, text) => {
  expect(parseProducts(text, ENDPOINT)).toMatch(/did not return JSON of the form \{ "products"/);
});

// Guarantee: every accepted product can be mapped; no record can have keys with these names.
test.each(["__proto__", "constructor", "prototype"])("a product must not be named %s", (name) => {
  const detail = `lists a product named '${name}', which is a reserved name in JavaScript. Rename the product.`;
  expect(parseProducts(product({ name }), ENDPOINT)).toBe(`${ENDPOINT} ${detail}`);
});

test("a schema may have keys with these names", () => {
  const text = '{"products":[{"name":"Auto","schema":{"properties":{"__proto__":{"type":"string"}}}}]}';
  expect(parseProducts(text, ENDPOINT)).toMatchObject([{ name: "Auto" }]);
});

// Guarantee: only text that PostgreSQL cannot store is rejected, not text whose JSON merely looks like it.
test("a pattern that escapes characters is stored unchanged", () => {
  const schema = { pattern: String.raw`^[^\u0000-\u001f\ud800]+$`, [String.raw`\u0000`]: "\u{1F697}" };
  expect(parseProducts(product({ schema }), ENDPOINT)).toEqual([{ name: "Auto", schema }]);
});
