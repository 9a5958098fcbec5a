import { readFileSync } from "node:fs";
import Ajv from "ajv/dist/2020";
import { expect, test } from "vitest";
import { coreEvent } from "../platform/core";
import { catalogSchema, EVENT_CATALOG } from "./event-catalog";

const compile = (schema: object) => new Ajv({ strict: false, validateFormats: false }).compile(schema);

test("the catalog has the events that cores commonly send", () => {
  expect(EVENT_CATALOG.map(({ type }) => type)).toEqual([
    "policy.issued",
    "policy.changed",
    "policy.renewed",
    "policy.cancelled",
    "quote.priced",
    "invoice.paid",
    "claim.opened",
  ]);
});

// Guarantee: what the pages offer as a sample is valid by the published schema, and is accepted as an event.
test.each(EVENT_CATALOG)("the sample of $type is valid by its published schema", (event) => {
  const id = `https://platform.example/schemas/events/${event.type}.json`;
  const validate = compile(catalogSchema(event, id));
  expect(validate(event.sample), JSON.stringify(validate.errors)).toBe(true);
  expect(event.schema.safeParse(event.sample).success).toBe(true);
  expect(coreEvent.safeParse(event.sample).success).toBe(true);
});

test.each(EVENT_CATALOG)(
  "the schema of $type refuses another type and missing members, not more of them",
  (event) => {
    const validate = compile(catalogSchema(event, "https://platform.example/x.json"));
    const data = Object.entries(event.sample.data ?? {});
    expect(validate({ ...event.sample, type: "other" })).toBe(false);
    expect(validate({ ...event.sample, data: Object.fromEntries(data.slice(1)) })).toBe(false);
    expect(validate({ ...event.sample, more: 1, data: { ...Object.fromEntries(data), more: 1 } })).toBe(true);
  },
);

test("a party's email address may have letters of any script", () => {
  const [issued] = EVENT_CATALOG;
  const withEmail = (email: string) => ({
    ...issued?.sample,
    data: { ...issued?.sample.data, policyHolder: { name: "Jörg Müller", email } },
  });
  expect(issued?.schema.safeParse(withEmail("müller@bücher.example")).success).toBe(true);
  expect(issued?.schema.safeParse(withEmail("müller")).success).toBe(false);
  expect(JSON.stringify(issued && catalogSchema(issued, "https://platform.example/x.json"))).toContain(
    '"format":"idn-email"',
  );
});

test("docs/guide/events.md describes every event of the catalog", () => {
  const text = readFileSync("docs/guide/events.md", "utf8");
  for (const { type } of EVENT_CATALOG) expect(text).toContain(`\`${type}\``);
});
