import fc from "fast-check";
import { expect, test } from "vitest";
import { faultOfPath, isSingularPath, pathTo, stepsOfPath } from "./json-path";

// Guarantee: every JSONPath of RFC 9535 is taken, and it is known which ones name one place at most.
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
])("%s is a path", (path, singular) => {
  expect(faultOfPath(path)).toBeUndefined();
  expect(isSingularPath(path)).toBe(singular);
});

// Guarantee: what is none is refused with the place and words that show a right one.
test.each([
  ["", 0, "$.vehicle.vin"],
  ["vin", 0, "begins with $"],
  ["$.", 2, "name is missing"],
  ["$..", 3, "name is missing"],
  ["$['a", 4, "second one"],
  ["$.a[0", 5, "bracket"],
  ["$.a[01]", 4, "start with 0"],
  ["$.a[b]", 4, "name in quotes"],
  ["$.a b", 4, "not expected"],
  ["$.trim-level", 6, "$['trim-level']"],
  ["$[?@.trim-level]", 9, "$['trim-level']"],
  ["$.2nd", 2, "$['2nd-driver']"],
  ["$[?foo(@.a)]", 3, "no such function"],
  ["$[?@.a = 1]", 7, "filter"],
  ["$.a\0", 3, "cannot be seen"],
  ["$['\ud800']", 3, "cannot be seen"],
])("%j is none", (path, offset, words) => {
  const fault = faultOfPath(path);
  expect(fault?.offset).toBe(offset);
  expect(fault?.message).toContain(words);
  expect(stepsOfPath(path)).toEqual([]);
});

test("a path's steps", () => {
  expect(stepsOfPath("$.a['b c'][0].d")).toEqual(["a", "b c", 0, "d"]);
  expect(stepsOfPath("$['it\\'s \\u00e9']")).toEqual(["it's é"]);
  expect(stepsOfPath("$.a[*]")).toEqual([]);
});

// Guarantee: any name of a member can be written as a path, and read back.
test("names of any kind", () => {
  const name = fc.string({ unit: "binary" });
  const steps = fc.array(fc.oneof(name, fc.nat(1000)), { maxLength: 5 });
  fc.assert(
    fc.property(steps, (all) => {
      const path = pathTo(all);
      if (path !== undefined) expect(stepsOfPath(path)).toEqual(all);
      else expect(all.join("")).toMatch(/[\0-\x1F]|\p{Surrogate}/u);
    }),
  );
});

// Guarantee: no text makes the check throw, and a fault is always within the text.
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
        const fault = faultOfPath(text);
        if (fault !== undefined) expect(fault.offset).toBeLessThanOrEqual(text.length);
      },
    ),
    { numRuns: 1000 },
  );
});
