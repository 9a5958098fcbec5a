import fc from "fast-check";
import { expect, test } from "vitest";
import { isSingularPath, parsePath, readSteps } from "./json-path";
import { pathTo, readWrittenSteps } from "./path-text";

// Guarantee: every JSONPath of RFC 9535 is accepted, and paths that find one value at most are recognized.
test.each([
  ["$.vin", true],
  ["$", true],
  ["$.a.b[0]", true],
  ["$['a']", true],
  [`$["a b"].c`, true],
  ["$.a[-1]", true],
  ["$['it\\'s'].größe", true],
  ["$ ['a'] .b", true],
  ["$..vin", false],
  ["$.*", false],
  ["$.a[1:2]", false],
  ["$['a','b']", false],
  ["$.drivers[?@.age > 25 && @['trim-level']].name", false],
  ["$[?match(@.vin, 'W.*')]", false],
])("%s is valid", (path, singular) => {
  expect(parsePath(path).issue).toBeUndefined();
  expect(isSingularPath(path)).toBe(singular);
});

// Guarantee: an invalid path is refused with its position and an example of a valid path.
test.each([
  ["", 0, "$.vehicle.vin"],
  ["vin", 0, "starts with $"],
  ["$.", 2, "name is missing"],
  ["$..", 3, "name is missing"],
  ["$['a", 4, "closing quote"],
  ["$.a[0", 5, "bracket"],
  ["$.a[01]", 4, "start with 0"],
  ["$.a[b]", 4, "name in quotes"],
  ["$.a b", 4, "not expected"],
  ["$.trim-level", 6, "$['trim-level']"],
  ["$[?@.trim-level]", 9, "$['trim-level']"],
  ["$.2nd", 2, "$['2nd-driver']"],
  ["$[?foo(@.a)]", 3, "function does not exist"],
  ["$[?@.a = 1]", 7, "filter"],
  ["$.a\0", 3, "invisible"],
  ["$['\ud800']", 3, "invisible"],
])("%j is invalid", (path, offset, text) => {
  const { issue } = parsePath(path);
  expect(issue?.offset).toBe(offset);
  expect(issue?.message).toContain(text);
  expect(readSteps(path)).toEqual([]);
});

test("a path's steps", () => {
  expect(readSteps("$.a['b c'][0].d")).toEqual(["a", "b c", 0, "d"]);
  expect(readSteps("$['it\\'s \\u00e9']")).toEqual(["it's é"]);
  expect(readSteps("$.a[*]")).toEqual([]);
});

// Guarantee: any member name can be written as a path and read back.
test("names of any kind", () => {
  const name = fc.string({ unit: "binary" });
  const steps = fc.array(fc.oneof(name, fc.nat(1000)), { maxLength: 5 });
  fc.assert(
    fc.property(steps, (all) => {
      const path = pathTo(all);
      if (path === undefined) {
        expect(all.join("")).toMatch(/[\0-\x1F]|\p{Surrogate}/u);
        return;
      }
      expect(readSteps(path)).toEqual(all);
      expect(readWrittenSteps(path)).toEqual(all);
    }),
  );
});

// Guarantee: no text makes the parser throw, and an issue is always within the text.
test("any text", () => {
  const piece = fc.constantFrom(
    "$",
    ".",
    "..",
    "[",
    "]",
    "'",
    '"',
    "?",
    "@",
    "*",
    "0",
    "a",
    "-",
    "(",
    ")",
    "\\",
    ":",
    ",",
    "==",
    "match(",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(piece).map((parts) => `$${parts.join("")}`),
        fc.string({ unit: "binary" }),
      ),
      (text) => {
        const { issue } = parsePath(text);
        if (issue !== undefined) expect(issue.offset).toBeLessThanOrEqual(text.length);
      },
    ),
    { numRuns: 1000 },
  );
});
