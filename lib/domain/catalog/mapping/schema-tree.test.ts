import { expect, test } from "vitest";
import { cpuTime } from "@/tests/cpu-time";
import { isSingularPath } from "./json-path";
import { isCutTree, listPaths, type SchemaNode, schemaTree, searchTree } from "./schema-tree";

const text = { type: "string" };

// Guarantee: the check accepts every path that the picker offers.
test("a schema becomes paths", () => {
  const schema = {
    properties: {
      vehicle: { properties: { vin: { ...text, title: "VIN" }, "trim-level": text } },
      drivers: { items: { properties: { name: text } } },
    },
  };
  const paths = listPaths(schema);
  expect(paths).toEqual([
    { path: "$.vehicle.vin", type: "string", title: "VIN" },
    { path: "$.vehicle['trim-level']", type: "string" },
    { path: "$.drivers[0].name", type: "string" },
  ]);
  expect(paths.every(({ path }) => isSingularPath(path))).toBe(true);
  expect(listPaths(null)).toEqual([]);
});

// Guarantee: nothing is cut silently.
test("a tree that leaves fields out is known", () => {
  const wide = (count: number) => ({
    properties: Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, text])),
  });
  expect(isCutTree(schemaTree(wide(1_999)))).toBe(false);
  expect(isCutTree(schemaTree(wide(2_001)))).toBe(true);
  expect(isCutTree(schemaTree({ properties: { a: wide(1_000), b: wide(1_000) } }))).toBe(true);
});

// Guarantee: a field has its type, title and description, and whether it is required, wherever the schema declares it.
test("subschemas are combined", () => {
  const [holder, ...others] = schemaTree({
    $ref: "#/$defs/policy",
    $defs: {
      policy: { allOf: [{ required: ["holder"], properties: { holder: { $ref: "#/definitions/a~1b" } } }] },
    },
    definitions: {
      "a/b": {
        title: "Holder",
        oneOf: [
          { properties: { name: { type: ["string", "null"] } }, required: ["name"] },
          { properties: { company: { const: "x", description: "Its name" } } },
        ],
      },
    },
    anyOf: [{ properties: { tags: { prefixItems: [{ type: "integer" }, {}], items: false } } }],
  });
  expect(holder).toMatchObject({ name: "holder", title: "Holder", type: "object", required: true });
  expect(holder?.children).toMatchObject([
    { path: "$.holder.name", type: "string or null", required: false },
    { path: "$.holder.company", type: "string", description: "Its name" },
  ]);
  expect(others).toMatchObject([
    {
      name: "tags",
      type: "array",
      children: [
        { name: "[0]", type: "integer" },
        { name: "[1]", type: "" },
      ],
    },
  ]);
});

// Guarantee: a search keeps the parents and children of a match.
test("searching the tree", () => {
  const tree = schemaTree({
    properties: {
      vehicle: { title: "Insured car", properties: { vin: { title: "VIN" }, make: {} } },
      note: { description: "About the VIN" },
    },
  });
  const names = (nodes: SchemaNode[]): unknown[] =>
    nodes.map(({ name, children }) => [name, names(children)]);
  expect(names(searchTree(tree, "vin"))).toEqual([
    ["vehicle", [["vin", []]]],
    ["note", []],
  ]);
  expect(names(searchTree(tree, "CAR insured"))).toEqual([
    [
      "vehicle",
      [
        ["vin", []],
        ["make", []],
      ],
    ],
  ]);
  const written = schemaTree({ properties: { mail: { title: "E–Mail" }, street: { title: "Straße" } } });
  for (const typed of ["email", "e-mail", "ｅｍａｉｌ"])
    expect(names(searchTree(written, typed)), typed).toEqual([["mail", []]]);
  expect(names(searchTree(written, "STRASSE"))).toEqual([["street", []]]);
  expect(searchTree(tree, " ")).toEqual(tree);
  expect(searchTree(tree, "none such")).toEqual([]);
});

// Guarantee: a hostile schema costs bounded time and memory, and its shallow fields come first.
test.each<[string, unknown, string[]]>([
  ["a tree without an end", { properties: { child: { $ref: "#" } } }, ["child"]],
  ["a ref to itself", { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/a" } } }, []],
  [
    "two that point at each other",
    {
      $defs: { a: { allOf: [{ $ref: "#/$defs/b" }] }, b: { anyOf: [{ $ref: "#/$defs/a" }] } },
      $ref: "#/$defs/a",
    },
    [],
  ],
  [
    "one that doubles at each step",
    {
      properties: {
        a: { $ref: "#" },
        b: { allOf: Array.from({ length: 300 }, () => ({ $ref: "#" })) },
        c: text,
      },
    },
    ["a", "b", "c"],
  ],
  ["a deep one", deep(10_000), ["a"]],
  ["a wide one", { properties: { first: { properties: wide(20_000) }, second: text } }, ["first", "second"]],
  [
    "refs to nowhere",
    { properties: { a: { $ref: "https://x" }, b: { $ref: 7 }, c: { $ref: "#/%zz/__proto__" } } },
    ["a", "b", "c"],
  ],
  [
    "members of no such type",
    {
      type: 7,
      title: {},
      required: "a",
      allOf: {},
      items: 5,
      properties: { __proto__: null, a: 1, b: null, c: [] },
    },
    ["a", "b", "c"],
  ],
])("%s", async (_, schema, names) => {
  let tree: SchemaNode[] = [];
  expect(await cpuTime(() => (tree = schemaTree(schema)))).toBeLessThan(2000);
  expect(tree.map((node) => node.name)).toEqual(names);
  const count = (nodes: SchemaNode[]): number =>
    nodes.reduce((sum, node) => sum + 1 + count(node.children), 0);
  expect(count(tree)).toBeLessThanOrEqual(2000);
});

function deep(levels: number): unknown {
  let schema: unknown = text;
  for (let level = 0; level < levels; level++) schema = { properties: { a: schema } };
  return schema;
}

function wide(members: number): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: members }, (_, index) => [`m${index}`, text]));
}
