import { expect, test } from "vitest";
import { prettyPrint, samplePayload } from "./sample-payload";

const configuration = {
  mappings: [
    {
      productName: "Auto",
      fields: { vin: "$.vehicles[0]['vin-no']", km: "$.vehicles[0].annual", make: "$.make" },
    },
  ],
  mappingFields: [
    { name: "vin", title: "VIN", required: true },
    { name: "km", title: "Kilometres a year", required: true },
    { name: "make", title: "Make", required: false },
  ],
};

// Guarantee: the first test call of a customer has the fields that the app needs, at the mapped paths.
test("a payload follows the mapping", () => {
  expect(JSON.parse(samplePayload({ kind: "autofill", patterns: ["newBusiness.*"] }, configuration))).toEqual(
    {
      operation: "newBusiness.create",
      policyLocator: "POL-1001",
      productName: "Auto",
      data: { vehicles: [{ "vin-no": "1HGCM82633A004352", annual: 14000 }] },
    },
  );
});

test("an event has a type that the route subscribes to", () => {
  const nothing = { mappings: [], mappingFields: [] };
  expect(
    JSON.parse(samplePayload({ kind: "webhook", patterns: ["policy.cancelled"] }, nothing)),
  ).toMatchObject({ type: "policy.cancelled" });
  expect(JSON.parse(samplePayload({ kind: "autofill", patterns: ["quote"] }, nothing))).toMatchObject({
    operation: "quote",
    data: { vin: expect.any(String) },
  });
});

test("an app's response can't change the direction of the text around it, and stays the same JSON", () => {
  const answer = { greeting: "Ahoy \u202Eevil\u2066" };
  const shown = prettyPrint(JSON.stringify(answer));
  expect(shown).toContain("\\u202eevil");
  expect(JSON.parse(shown)).toEqual(answer);
  expect(prettyPrint("not JSON")).toBe("not JSON");
});
