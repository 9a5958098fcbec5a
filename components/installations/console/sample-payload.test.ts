import { describe, expect, test } from "vitest";
import { EVENT_CATALOG } from "@/lib/contract/calls/event-catalog";
import { editablePayload, listNames, samplePayload } from "@/lib/domain/installations/sample-payload";
import { checkPayload } from "./check-payload";

const configuration = {
  mappings: [
    {
      productName: "Auto",
      fields: { vin: "$.vehicles[0]['vin-no']", km: "$.vehicles[0].annual", make: "$.make" },
    },
  ],
  mappingFields: [
    { name: "vin", title: "VIN", required: true },
    { name: "km", title: "Kilometers per year", required: true },
    { name: "make", title: "Make", required: false },
  ],
};
const NOTHING = { mappings: [], mappingFields: [] };
const autofill = { kind: "autofill" as const, patterns: ["newBusiness.*"] };
const webhook = { kind: "webhook" as const, patterns: ["policy.*"] };

const sample = (
  route: typeof autofill | typeof webhook,
  {
    name = listNames(route)[0],
    product,
    answers = configuration,
  }: Partial<Parameters<typeof samplePayload>[0]> & {
    answers?: Parameters<typeof samplePayload>[1];
  } = {},
) => JSON.parse(samplePayload({ route, name, product }, answers));

describe("names", () => {
  // Guarantee: testing a webhook offers the event types that it subscribes to, and nobody types one from memory.
  test("a pattern is offered as the catalog's events that match it, each once", () => {
    expect(listNames(webhook)).toEqual([
      "policy.issued",
      "policy.changed",
      "policy.renewed",
      "policy.cancelled",
    ]);
    expect(listNames({ kind: "webhook", patterns: ["policy.issued", "policy.*", "acme.own"] })).toEqual([
      "policy.issued",
      "policy.changed",
      "policy.renewed",
      "policy.cancelled",
      "acme.own",
    ]);
    expect(listNames({ kind: "webhook", patterns: ["*"] })).toEqual(EVENT_CATALOG.map(({ type }) => type));
  });

  test("a pattern that no known event matches is offered as a name that matches", () => {
    expect(listNames({ kind: "webhook", patterns: ["acme.*"] })).toEqual(["acme.create"]);
    expect(listNames({ kind: "autofill", patterns: ["newBusiness.*", "quote"] })).toEqual([
      "newBusiness.create",
      "quote",
    ]);
    expect(listNames({ kind: "rater", patterns: [] })).toEqual([]);
  });
});

describe("payloads", () => {
  // Guarantee: the first test call of a customer has the fields that the app needs, at the mapped paths.
  test("without product data, a payload follows the mapping", () => {
    expect(sample(autofill)).toEqual({
      operation: "newBusiness.create",
      policyLocator: "POL-1001",
      productName: "Auto",
      data: { vehicles: [{ "vin-no": "1HGCM82633A004352", annual: 14000 }] },
    });
    expect(sample(autofill, { answers: NOTHING })).toMatchObject({ data: { vin: expect.any(String) } });
  });

  test("the core's own sample stays as it is; made-up data gets values that an app can look up", () => {
    const data = { vehicles: [{ "vin-no": "YV1", annual: 1, color: "red" }], holder: "Sam" };
    const given = sample(autofill, { product: { name: "Auto", data, given: true } });
    expect(given).toMatchObject({ productName: "Auto", data });
    const madeUp = sample(autofill, { product: { name: "Auto", data, given: false } });
    expect(madeUp.data).toEqual({
      vehicles: [{ "vin-no": "1HGCM82633A004352", annual: 14000, color: "red" }],
      holder: "Sam",
    });
  });

  test("an event of the catalog is about the tenant's product, and still as documented", () => {
    const product = { name: "Private Motor", data: { car: { vin: "YV1" } }, given: true };
    for (const name of listNames({ kind: "webhook", patterns: ["*"] })) {
      const text = samplePayload({ route: webhook, name, product }, NOTHING);
      expect(checkPayload(text, { kind: "webhook", patterns: ["*"] }).issues, name).toEqual([]);
    }
    expect(sample(webhook, { product })).toMatchObject({
      type: "policy.issued",
      data: { productName: "Private Motor", data: product.data, premium: expect.anything() },
    });
  });

  test("an event that the catalog does not have is sent with its type", () => {
    expect(sample({ ...webhook, patterns: ["acme.own"] })).toMatchObject({ type: "acme.own" });
  });
});

// Guarantee: sending a recorded event again is a new event, not the old one, which the platform would not deliver again.
test("a recorded event is edited without its id; of the console's own, without what the platform filled in", () => {
  const event = { id: "evt-1", type: "policy.issued", timestamp: "2026-01-01T00:00:00Z", data: { a: 1 } };
  expect(JSON.parse(editablePayload("webhook", JSON.stringify(event)))).toEqual({ ...event, id: undefined });
  const own = { ...event, id: "console-1", transactionId: "console-1", username: "Maya" };
  expect(JSON.parse(editablePayload("webhook", JSON.stringify(own)))).toEqual({
    type: "policy.issued",
    data: { a: 1 },
  });
  const exact = '{"type":"policy.issued","data":{"n":9007199254740993,"d":1.10,"z":-0,"a":1,"a":2}}';
  expect(editablePayload("webhook", exact.replace("{", '{"id":"core-1",'))).toBe(exact);
  for (const kind of ["webhook", "autofill"] as const)
    expect(editablePayload(kind, `\uFEFF${exact}`)).toBe(`\uFEFF${exact}`);
  expect(editablePayload("webhook", '\uFEFF{"id":"core-1"}')).toBe("\uFEFF{}");
  const big = '{"id":12345678901234567890}';
  expect(editablePayload("autofill", big)).toBe(big);
});
