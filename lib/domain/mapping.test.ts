import { expect, test } from "vitest";
import { checkMappings, guessPath, isSingularPath, pathsOf, stepsOfPath } from "./mapping";

const vin = { name: "vin", title: "VIN", required: true };
const make = { name: "make", title: "Make" };

// Guarantee: only a path to one place is taken.
test.each(["$.vin", "$.a.b[0]", "$['a']", `$["a b"].c`, "$.a[0]['b-c']", "$._x", "$.größe"])(
  "%s is a path",
  (path) => {
    expect(isSingularPath(path)).toBe(true);
  },
);
test.each([
  "$",
  "vin",
  "$.",
  "$..vin",
  "$.*",
  "$[*]",
  "$.a[-1]",
  "$.a[1:2]",
  "$[?@.a]",
  "$.a b",
  "$['a",
  "$.a[01]",
  "$.a\n",
])("%j is none", (path) => expect(isSingularPath(path)).toBe(false));

// Guarantee: each product of the tenant has its entry, and what was left empty is absent.
test("mappings follow the products", () => {
  const { mappings, issues } = checkMappings([vin, make], ["Auto", "Home"], {
    Auto: { vin: " $.vehicle.vin ", make: "" },
    Home: { vin: "$.vin" },
  });
  expect(issues).toEqual([]);
  expect(mappings).toEqual([
    { productName: "Auto", fields: { vin: "$.vehicle.vin" } },
    { productName: "Home", fields: { vin: "$.vin" } },
  ]);
});

// Guarantee: all problems at once, each with its place.
test("every problem is told", () => {
  const { issues } = checkMappings([vin], ["Auto", "Home"], {
    Auto: { vin: "vin", colour: "$.c" },
    "Bo/at": {},
  });
  expect(issues.map((issue) => [issue.code, issue.pointer])).toEqual([
    ["mapping-field-unknown", "/mappings/Auto/colour"],
    ["mapping-product-unknown", "/mappings/Bo~1at"],
    ["mapping-path", "/mappings/Auto/vin"],
    ["mapping-required", "/mappings/Home/vin"],
  ]);
});

// Guarantee: what the pick list offers is what the check accepts.
test("a schema becomes paths", () => {
  const text = { type: "string" };
  const schema = {
    properties: {
      vehicle: { properties: { vin: { ...text, title: "VIN" }, "trim-level": text } },
      drivers: { items: { properties: { name: text } } },
    },
  };
  const paths = pathsOf(schema);
  expect(paths).toEqual([
    { path: "$.vehicle.vin", type: "string", title: "VIN" },
    { path: "$.vehicle['trim-level']", type: "string" },
    { path: "$.drivers[0].name", type: "string" },
  ]);
  expect(paths.every(({ path }) => isSingularPath(path))).toBe(true);
  expect(guessPath(vin, paths)).toBe("$.vehicle.vin");
  expect(guessPath(make, paths)).toBeUndefined();
  expect(pathsOf(null)).toEqual([]);
});

test("a path's steps", () => {
  expect(stepsOfPath("$.a['b c'][0].d")).toEqual(["a", "b c", 0, "d"]);
  expect(stepsOfPath("a")).toEqual([]);
});
