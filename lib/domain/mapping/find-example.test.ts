import { expect, test } from "vitest";
import { findExample } from "./find-example";

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
