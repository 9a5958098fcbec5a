import { expect, test } from "vitest";
import { checkPath, copyPaths, findNewMissing, missingPaths } from "./check-path";

const schema = {
  type: "object",
  properties: {
    vehicle: { properties: { vin: { type: "string" }, note: {} }, additionalProperties: false },
    drivers: { type: "array", items: { properties: { name: { type: "string" } } } },
    pair: { prefixItems: [{ type: "integer" }], items: false },
    extra: { type: "object", properties: { a: {} }, additionalProperties: { type: "string" } },
    free: { type: "object" },
    far: { $ref: "https://example.com/far.json" },
    none: false,
  },
};

// Guarantee: a path is looked up in the schema, and one that the schema leaves open is not called wrong.
test.each([
  ["$.vehicle.vin", "found", "string"],
  ["$.vehicle.note", "found", undefined],
  ["$['drivers'][3].name", "found", "string"],
  ["$.drivers[-1].name", "found", "string"],
  ["$", "found", "object"],
  ["$.vehicle.colour", "not-in-schema", undefined],
  ["$.vehicle.vin.x", "not-in-schema", undefined],
  ["$.vehicle[0]", "not-in-schema", undefined],
  ["$.drivers.name", "not-in-schema", undefined],
  ["$.colour", "not-in-schema", undefined],
  ["$.toString", "not-in-schema", undefined],
  ["$.pair[0]", "found", "integer"],
  ["$.pair[1]", "not-in-schema", undefined],
  ["$.none.a", "not-in-schema", undefined],
  ["$.extra.b", "unknown", undefined],
  ["$.free.a.b[0]", "unknown", undefined],
  ["$.far.a", "unknown", undefined],
  ["$.drivers[*].name", "many", undefined],
  ["$..vin", "many", undefined],
  ["$.colours[*].name", "not-in-schema", undefined],
  ["vehicle.vin", "unchecked", undefined],
  ["fields[?(@.name=='vin')]", "unchecked", undefined],
  ["policyholder.fields[0]", "unchecked", undefined],
  ["/vehicle/vin", "unchecked", undefined],
  ["$.vehicle[", "malformed", undefined],
  ["$.trim-level", "malformed", undefined],
  ["vin\0", "invalid", undefined],
  ["$.a\ud800", "invalid", undefined],
] as const)("%s is %s", (path, result, type) => {
  const check = checkPath(schema, path);
  expect(check.result).toBe(result);
  expect(check.type).toBe(type);
  expect(check.message).not.toBe("");
});

// Guarantee: a new mapping to what the schema lacks is named; what is stored already, and other dialects, are not.
test("new paths that a schema lacks", () => {
  const declared = [
    { name: "vin", title: "VIN" },
    { name: "color", title: "Color" },
    { name: "label", title: "Label", format: "text" as const },
  ];
  const products = [
    { name: "Auto", schema },
    { name: "Home", schema: {} },
  ];
  const mapped = (fields: Record<string, string>) =>
    products.map(({ name: productName }) => ({ productName, fields }));
  const find = (before: Record<string, string>, now: Record<string, string>) =>
    findNewMissing({ declared, products, before: mapped(before), now: mapped(now) });
  expect(find({}, { vin: "$.vehicle.vim", color: "$.vehicle.vin", label: "$.nothing" })).toEqual([
    {
      code: "mapping-not-in-schema",
      pointer: "/mappings/Auto/vin",
      message: expect.stringMatching(/^Auto has no field \$\.vehicle\.vim\. 'vehicle' has no 'vim'/),
    },
  ]);
  expect(find({ vin: "$.vehicle.vim" }, { vin: "$.vehicle.vim" })).toEqual([]);
  expect(find({ vin: "$.vehicle.vim" }, { vin: "$.vehicle.vum" })).toHaveLength(1);
  expect(find({}, { vin: "fields[?(@.name=='vin')]", color: "$.free.color" })).toEqual([]);
});

// Guarantee: without a schema, any path may be valid.
test.each([undefined, null, true, {}, "text", []])("the schema %j", (none) => {
  expect(checkPath(none, "$.a[0]").result).toBe("unknown");
});

// Guarantee: when a schema changes, the mapped paths that it no longer has are named.
test("paths that a changed schema lacks", () => {
  const fields = { vin: "$.vehicle.vin", name: "$.driver.name", all: "$..vin" };
  const declared = ["vin", "name", "all"].map((name) => ({ name, title: name }));
  expect(missingPaths(schema, declared, fields)).toEqual([{ name: "name", path: "$.driver.name" }]);
});

// Guarantee: copying takes the paths that the other product has, lists those it lacks, and copies declared fields only.
test("copying another product's mapping", () => {
  const field = (name: string) => ({ name, title: name });
  const from = { vin: "$.vehicle.vin", name: "$.driver.name", old: "$.vehicle.vin", empty: "" };
  expect(copyPaths(from, schema, [field("vin"), field("name"), field("empty"), field("new")])).toEqual({
    paths: { vin: "$.vehicle.vin" },
    missing: [{ name: "name", path: "$.driver.name" }],
  });
});

// Guarantee: what the platform cannot check is never called missing, and is copied to other products as it is.
test("paths of another dialect, and fields for text", () => {
  const own = { name: "own", title: "Own" };
  const note = { name: "note", title: "Note", format: "text" as const };
  const from = { own: "policyholder.fields[?(@.name=='vin')]", note: "$.not.in.the.schema" };
  expect(missingPaths(schema, [own, note], from)).toEqual([]);
  expect(copyPaths(from, schema, [own, note])).toEqual({ paths: from, missing: [] });
});
