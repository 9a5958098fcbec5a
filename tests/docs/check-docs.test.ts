import { expect, test } from "vitest";
import { parseGuide } from "@/lib/domain/surface/guide";
import { checkDocs } from "./check-docs";
import { checkNames } from "./check-names";

// Guarantee: links lead somewhere, code on pages is checked, commands exist, and so do the files, functions and decisions that
// documents name.
test("the documentation is complete", () => {
  expect(checkDocs().problems).toEqual([]);
});

// Guarantee: the check of names finds what no longer exists.
test("a document that names something that does not exist is reported", () => {
  const text =
    "`lib/server/nothing.ts`, `nothing.ts`, `neverWritten` and `createPlatform`, but `npm test` is a command.";
  expect(checkNames([{ ...parseGuide(text), file: "docs/map.md" }])).toEqual([
    "docs/map.md:1 lib/server/nothing.ts: no such file",
    "docs/map.md:1 nothing.ts: no such file",
    "docs/map.md:1 neverWritten: nothing in the code has this name",
  ]);
});
