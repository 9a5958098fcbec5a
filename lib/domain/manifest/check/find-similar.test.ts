import { expect, test } from "vitest";
import { findSimilar } from "./find-similar";

const KEYS = ["name", "title", "type", "hint", "required", "sensitive", "values"];

test.each([
  ["Title", "title"],
  ["TYPE", "type"],
  ["tilte", "title"],
  ["value", "values"],
  ["requierd", "required"],
  ["sensitve", "sensitive"],
])("%s means %s", (written, meant) => {
  expect(findSimilar(written, KEYS)).toBe(meant);
});

test.each(["note", "x-own", "description", "", "t", "t".repeat(1000)])(
  "%.20s means none of them",
  (written) => {
    expect(findSimilar(written, KEYS)).toBeUndefined();
  },
);
