import fc from "fast-check";
import { expect, test } from "vitest";
import { cpuTime } from "@/tests/cpu-time";
import { checkPath, copyPaths, missingPaths } from "./check-path";
import { valueAtPath } from "./json-path";
import { createSample } from "./schema-parts";
import { schemaTree, searchTree } from "./schema-tree";
import { suggestPaths } from "./suggest-paths";

const policy = {
  drivers: [
    { name: "Ada", age: 36 },
    { name: "Max", age: 19 },
  ],
  vin: "1HG",
};

// Guarantee: the page shows what the app would find.
test.each([
  ["$.vin", ["1HG"]],
  ["$.drivers[-1].name", ["Max"]],
  ["$.drivers[?@.age > 25].name", ["Ada"]],
  ["$.drivers[?match(@.name, 'M.*')].age", [19]],
  ["$.drivers[0]", [policy.drivers[0]]],
  ["$.nothing", []],
])("%s finds", (path, values) => {
  expect(valueAtPath(policy, path)).toEqual({ values, more: false });
  expect(valueAtPath(Object.freeze({ ...policy }), path)).toEqual({ values, more: false });
});

// Guarantee: trying out a path always finishes.
test.each([
  `$${"..*".repeat(100)}.nothing`,
  `$${"[*]".repeat(100)}.nothing`,
  `$[?@${"..*".repeat(50)}.nothing]`,
  "$..[?match(@, '(a*)*b')]",
  "$..[?search(@, 'a?a?a?a?a?a?aaaaaa')]",
])("%s is given up", async (path) => {
  const letters = ["a".repeat(40)];
  let document: unknown = letters;
  for (let depth = 0; depth < 40; depth++) document = [document, document, letters];
  let found: ReturnType<typeof valueAtPath> | undefined;
  expect(await cpuTime(() => (found = valueAtPath(document, path)))).toBeLessThan(2000);
  expect(found).toMatchObject({ values: [], failure: expect.stringContaining("too long") });
});

test("many values are cut, and an invalid path explains itself", () => {
  const found = valueAtPath({ list: Array.from({ length: 100 }, (_, at) => at) }, "$.list[*]");
  expect(found).toMatchObject({ more: true });
  expect(found.values).toHaveLength(20);
  expect(valueAtPath({}, "vin").failure).toContain("starts with $");
});

// Guarantee: there is always a sample to try paths on: the core's, or one generated from the schema.
test("a sample", () => {
  const schema = {
    properties: {
      vin: { type: "string", title: "VIN" },
      year: { type: "integer", examples: [2003, 2004] },
      use: { enum: ["private"] },
      from: { type: ["null", "string"], format: "date" },
      drivers: {
        items: { properties: { adult: { type: "boolean" }, boss: { $ref: "#/properties/drivers/items" } } },
      },
      free: {},
    },
  };
  expect(createSample(schema)).toEqual({
    vin: "VIN",
    year: 2003,
    use: "private",
    from: "2026-01-31",
    drivers: [{ adult: true, boss: { adult: true, boss: { adult: true, boss: null } } }],
    free: null,
  });
  expect(createSample(schema, policy)).toBe(policy);
  expect(createSample(schema, null)).toBe(null);
});

// Guarantee: no schema, sample or path makes any of it throw.
test("arbitrary JSON", () => {
  const word = fc.constantFrom(
    "properties",
    "items",
    "allOf",
    "anyOf",
    "type",
    "$ref",
    "#",
    "#/a",
    "$defs",
    "required",
    "title",
    "a",
    "__proto__",
    "enum",
    "examples",
    "object",
    "string",
  );
  const { junk } = fc.letrec((tie) => ({
    junk: fc.oneof(
      { depthSize: "medium" },
      fc.oneof(word, fc.boolean(), fc.integer(), fc.constant(null)),
      fc.dictionary(word, tie("junk"), { maxKeys: 5 }),
      fc.array(tie("junk"), { maxLength: 4 }),
    ),
  }));
  const piece = fc.constantFrom(".a", "..", "*", "[0]", "[?@.a]", "['properties']", "[1:]", "[", ".type");
  const path = fc.array(piece, { maxLength: 5 }).map((pieces) => `$${pieces.join("")}`);
  fc.assert(
    fc.property(
      fc.oneof(junk, fc.jsonValue()),
      fc.oneof(junk, fc.jsonValue()),
      path,
      (schema, sample, typed) => {
        const tree = schemaTree(schema);
        searchTree(tree, "a");
        suggestPaths({ name: "a", title: "A" }, tree);
        for (const { path } of tree) expect(checkPath(schema, path).result).toBe("found");
        checkPath(schema, typed);
        missingPaths(schema, [{ name: "a", title: "A" }], { a: typed });
        copyPaths({ a: typed }, schema, [{ name: "a", title: "A" }]);
        JSON.stringify(valueAtPath(createSample(schema), typed));
        JSON.stringify(valueAtPath(sample, typed));
      },
    ),
    { numRuns: 500 },
  );
});
