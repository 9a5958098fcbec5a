import { expect, test } from "vitest";
import { type SettingAction, stateRecord } from "@/lib/contract/catalog/configuration";
import type { MappingField, Setting } from "@/lib/contract/catalog/manifest";
import { type Answers, createStateRecord, exampleToken, recordJson } from "./app-view-tab";

const region: Setting = {
  name: "region",
  title: "Region",
  type: "Select",
  required: true,
  values: [{ text: "Europe", value: "eu" }],
};
const apiKey: Setting = { name: "apiKey", title: "Provider key", type: "Password" };
const label: Setting = { name: "label", title: "Label", type: "Text" };
const vin: MappingField = { name: "vin", title: "VIN field", required: true };

const set = (value: string): SettingAction => ({ action: "set", value });
const answers = (given: Partial<Answers>): Answers => ({
  settings: {},
  mappings: {},
  productNames: ["Auto"],
  coreApiUrl: "https://api.core.example",
  tenantHostName: "tenant.core.example",
  token: exampleToken("https://api.core.example"),
  ...given,
});

test("the record has exactly the contract's five members", () => {
  const record = createStateRecord([region, apiKey], [vin], answers({ settings: { region: set("eu") } }));
  expect(stateRecord.parse(record)).toEqual(record);
  expect(Object.keys(record)).toEqual(["settings", "mappings", "coreApiUrl", "tenantHostName", "token"]);
});

test("a secret is in the record as entered", () => {
  const { settings } = createStateRecord([apiKey], [], answers({ settings: { apiKey: set("s3cret") } }));
  expect(settings).toEqual({ apiKey: "s3cret" });
});

test("a setting that is skipped, unknown or has an invalid value is absent", () => {
  const given = { region: set("mars"), unknown: set("x") };
  expect(createStateRecord([region, label], [], answers({ settings: given })).settings).toEqual({});
});

test("an empty text that was set is kept", () => {
  expect(createStateRecord([label], [], answers({ settings: { label: set("") } })).settings).toEqual({
    label: "",
  });
});

test("each product has an entry, even if nothing is mapped or the path cannot be stored", () => {
  const productNames = ["Auto", "Home", "Boat"];
  const mappings = { Auto: { vin: "$.vehicle.vin" }, Home: { vin: "no\0path" } };
  expect(createStateRecord([], [vin], answers({ productNames, mappings })).mappings).toEqual([
    { productName: "Auto", fields: { vin: "$.vehicle.vin" } },
    { productName: "Home", fields: {} },
    { productName: "Boat", fields: {} },
  ]);
});

test("the example token has the three parts of a JWT", () => {
  const [header, payload, signature, ...rest] = exampleToken("https://api.core.example").split(".");
  expect(JSON.parse(atob(header ?? ""))).toMatchObject({ alg: "EdDSA", typ: "JWT" });
  expect(JSON.parse(atob(payload ?? ""))).toMatchObject({ aud: "https://api.core.example" });
  expect(signature).toMatch(/^[\w-]+$/);
  expect(rest).toEqual([]);
});

test("bidirectional marks are escaped without changing the value", () => {
  const record = createStateRecord([label], [], answers({ settings: { label: set("a\u202Eb\u061C") } }));
  const json = recordJson(record);
  expect(json).toContain(String.raw`"a\u202eb\u061c"`);
  expect(JSON.parse(json)).toEqual(record);
});
