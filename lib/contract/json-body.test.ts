import { expect, test } from "vitest";
import { JSON_DEPTH, parseJsonBody } from "./json-body";

const lists = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const objects = (depth: number) => '{"a":'.repeat(depth) + "1" + "}".repeat(depth);

test("what is nested as deep as may be is taken", () => {
  for (const text of ["1", "null", '"x"', "[]", lists(JSON_DEPTH), objects(JSON_DEPTH)])
    expect(parseJsonBody(text)).toEqual(JSON.parse(text));
});

// Guarantee: no depth of a body breaks what reads it: it is refused with words.
test.each([JSON_DEPTH + 2, 20_000, 200_000])("%d levels are refused", (depth) => {
  for (const text of [lists(depth), objects(depth), `{"data":[1,${lists(depth)}]}`])
    expect(() => parseJsonBody(text)).toThrow(/nested more than 64 deep/);
});

test("what is not JSON is refused", () => {
  for (const text of ["", "{", "NaN"]) expect(() => parseJsonBody(text)).toThrow(/not JSON/);
});
