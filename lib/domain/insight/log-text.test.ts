import { expect, test } from "vitest";
import { findTellingLine } from "./log-text";

test("the line that says why an app failed is the last one that speaks of a failure", () => {
  const log = "listening\nError: codes.json is missing\n    at load (server.mjs:3:9)\nNode.js v22\n\n";
  expect(findTellingLine(log)).toBe("Error: codes.json is missing");
  expect(findTellingLine("one\ntwo\n")).toBe("two");
  expect(findTellingLine("\n \n")).toBeUndefined();
});
