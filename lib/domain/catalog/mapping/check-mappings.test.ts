import { expect, test } from "vitest";
import { checkMappings, mergePaths } from "./check-mappings";

const vin = { name: "vin", title: "VIN", required: true };
const make = { name: "make", title: "Make" };

// Guarantee: each product of the tenant has an entry, and empty fields are absent.
test("mappings follow the products", () => {
  const { mappings, issues } = checkMappings([vin, make], ["Auto", "Home"], {
    Auto: { vin: " $.vehicle.vin ", make: "" },
    Home: { vin: "$..vin" },
  });
  expect(issues).toEqual([]);
  expect(mappings).toEqual([
    { productName: "Auto", fields: { vin: "$.vehicle.vin" } },
    { productName: "Home", fields: { vin: "$..vin" } },
  ]);
});

// Guarantee: all issues are found at once, each with its pointer.
test("every issue is reported", () => {
  const { issues } = checkMappings([vin], ["Auto", "Home"], {
    Auto: { vin: "vin\0", colour: "$.c" },
    "Bo/at": {},
  });
  expect(issues.map((issue) => [issue.code, issue.pointer])).toEqual([
    ["mapping-field-unknown", "/mappings/Auto/colour"],
    ["mapping-product-unknown", "/mappings/Bo~1at"],
    ["mapping-characters", "/mappings/Auto/vin"],
    ["mapping-required", "/mappings/Home/vin"],
  ]);
});

// Guarantee: a field that is left out keeps its path, an empty one loses it, and nothing else changes.
test("a form's paths are merged with the stored ones", () => {
  const stored = [{ productName: "Auto", fields: { vin: "$.a", make: "$.b", old: "$.c" } }];
  expect(mergePaths([vin, make], stored, { Auto: { make: "" }, Home: { vin: "$.d" } })).toEqual({
    Auto: { vin: "$.a", make: "" },
    Home: { vin: "$.d" },
  });
});

// Guarantee: apps have path dialects of their own, so every string that can be stored is a valid mapping.
test.each(["fields[?(@.name=='vin')]", "vehicle.vin", "$.a[", "VIN of the car", "größe", "/a/b"])(
  "%s is accepted in any format",
  (path) => {
    for (const format of [undefined, "jsonpath", "text"] as const) {
      const { mappings, issues } = checkMappings([{ ...vin, format }], ["Auto"], { Auto: { vin: path } });
      expect(issues).toEqual([]);
      expect(mappings).toEqual([{ productName: "Auto", fields: { vin: path } }]);
    }
  },
);

test("a required text is still asked for", () => {
  const { issues } = checkMappings([{ ...vin, format: "text" }], ["Auto"], {});
  expect(issues).toMatchObject([{ code: "mapping-required", message: "Enter VIN for Auto." }]);
});
