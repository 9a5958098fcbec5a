import { expect, test } from "vitest";
import { checkDocs } from "./check-docs";

// Guarantee: links lead somewhere, code on pages is checked, and commands exist.
test("the documentation is complete", () => {
  expect(checkDocs().problems).toEqual([]);
});
