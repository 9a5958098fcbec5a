import { expect, test } from "vitest";
import { schemaTree } from "./schema-tree";
import { findExample, guessPath, inventMappings, splitWords, suggestPaths } from "./suggest-paths";

const field = (name: string, title = "-") => ({ name, title });
const tree = (properties: Record<string, unknown>) => schemaTree({ properties });

test.each([
  ["vehicleVin", "vehicle vin"],
  ["vehicle_vin", "vehicle vin"],
  ["VIN", "vin"],
  ["VINNumber", "vin number"],
  ["Straße 2b", "straße 2b"],
  ["!?", ""],
])("the words of %s", (name, words) => expect(splitWords(name).join(" ")).toBe(words));

// Guarantee: the likeliest field comes first, with a reason.
test("suggestions are ranked", () => {
  const candidates = tree({
    lastVin: {},
    code: { title: "The VIN field" },
    Vin: {},
    vehicle: { properties: { vin: {} } },
    vin: { properties: { deeper: {} } },
  });
  expect(suggestPaths(field("vin", "VIN"), candidates)).toEqual([
    { path: "$.vehicle.vin", why: "The same name" },
    { path: "$.Vin", why: "The same name, written differently" },
    { path: "$.code", why: "The same title" },
    { path: "$.lastVin", why: "Its name has the same words" },
  ]);
});

// Guarantee: only a good suggestion is filled in without asking.
test.each([
  ["vin", { VIN: {} }, "$.VIN"],
  ["vehicleVin", { vehicle_vin: {} }, "$.vehicle_vin"],
  ["vehicle_vin", { vehicle: { properties: { vin: {} } } }, "$.vehicle.vin"],
  ["postalCode", { postalcode: {} }, "$.postalcode"],
  ["vehicle_vin", { vin: {} }, undefined],
  ["vin", { lastVin: {} }, undefined],
  ["vin", { tags: { items: { type: "string" } } }, undefined],
  ["tags", { tags: { items: { type: "string" } } }, "$.tags[0]"],
  ["vin", {}, undefined],
])("%s among %j", (name, properties, path) => {
  expect(guessPath(field(name), tree(properties))).toBe(path);
});

test.each([
  ["Where the VIN is. Write `fields[?(@.name=='vin')]`.", "fields[?(@.name=='vin')]"],
  ["Such as policyholder.fields[?(@.name=='vin')].", "policyholder.fields[?(@.name=='vin')]"],
  ["Your field, such as $.vehicle.vin", "$.vehicle.vin"],
  ["A column of the export, for example VEH_VIN, in upper case.", "VEH_VIN"],
])("%s", (hint, example) => {
  expect(findExample(hint)).toBe(example);
});

test.each([undefined, "", "Where the VIN is stored.", "Costs $5.", "such as ..."])(
  "no example: %s",
  (hint) => {
    expect(findExample(hint)).toBeUndefined();
  },
);

// Guarantee: a made-up customer has an answer for every mapping field, also where nothing fits well.
test("mappings of made-up customers are complete", () => {
  const schema = { type: "object", properties: { make: {}, vin: { type: "string" } } };
  const fields = [field("vin"), field("colour"), { ...field("note"), format: "text" as const }];
  expect(inventMappings(fields, [{ name: "Auto", schema }], "sample")).toEqual([
    { productName: "Auto", fields: { vin: "$.vin", colour: "$.make", note: "sample" } },
  ]);
});
