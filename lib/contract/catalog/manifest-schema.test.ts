import Ajv from "ajv";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkManifest } from "@/lib/domain/catalog/manifest/check-manifest";
import { anyManifest } from "@/tests/manifests/manifest-arbitrary";
import { DEFECTS, DEFECTS_OF_TEXT, SOUND_MANIFEST, withDefect } from "@/tests/manifests/manifest-defects";
import { PERMISSIONS } from "../platform/manifest-terms";
import { manifestSchema } from "./manifest";

const ID = "https://platform.example/schemas/platform-app.json";
const fits = new Ajv({ allErrors: true, strict: false }).compile(manifestSchema(ID));
const passes = (value: unknown) => checkManifest(JSON.stringify(value)).manifest !== undefined;

test("every valid manifest passes the validator and fits the JSON Schema, with unknown keys wherever they are", () => {
  fc.assert(
    fc.property(anyManifest, (manifest) => {
      expect(
        checkManifest(JSON.stringify(manifest)).issues.filter(({ severity }) => severity === "error"),
      ).toEqual([]);
      expect(fits(manifest), JSON.stringify(fits.errors)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test("the schema compiles in Ajv's strict mode, in which many publishers' tools run", () => {
  const compile = () => new Ajv({ strict: true }).compile(manifestSchema(ID));
  expect(compile).not.toThrow();
});

test("the manifest that defects are put into is sound itself", () => {
  expect(passes(SOUND_MANIFEST)).toBe(true);
  expect(fits(SOUND_MANIFEST)).toBe(true);
});

describe("refused by the validator, with hints, and by the JSON Schema", () => {
  test.each(DEFECTS)("%.60s", (_what, place, value) => {
    const broken = withDefect(place, value);
    const { manifest, issues } = checkManifest(JSON.stringify(broken));
    expect(manifest).toBeUndefined();
    expect(issues.filter(({ severity, hint }) => severity === "error" && hint === undefined)).toEqual([]);
    expect(fits(broken)).toBe(false);
  });
});

describe("refused by the validator alone, since JSON Schema cannot say it", () => {
  test.each(DEFECTS_OF_TEXT)("%s", (_what, text) => {
    const { manifest, issues } = checkManifest(text);
    expect(manifest).toBeUndefined();
    expect(issues.every(({ hint, line, column }) => Boolean(hint) && Boolean(line) && Boolean(column))).toBe(
      true,
    );
  });
});

test("editors complete the names of permissions, also those that an operator added", () => {
  const suggested = (...known: string[][]) => ({
    properties: {
      core: {
        properties: {
          permissions: { items: { properties: { name: { examples: known[0] ?? PERMISSIONS } } } },
        },
      },
    },
  });
  expect(manifestSchema(ID)).toMatchObject(suggested());
  expect(manifestSchema(ID, ["ledger:read"])).toMatchObject(suggested(["ledger:read"]));
});

test("the schema is plain JSON, known by its address, and describes every member for who hovers over it", () => {
  const schema = manifestSchema(ID);
  expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
  expect(schema).toMatchObject({ $id: ID, $schema: "http://json-schema.org/draft-07/schema#" });
  const undescribed: string[] = [];
  visit(schema, "");
  expect(undescribed).toEqual([]);

  function visit(part: unknown, at: string): void {
    if (typeof part !== "object" || part === null) return;
    for (const [key, member] of Object.entries(part)) {
      if (key === "if" || key === "then" || key === "else") continue;
      if (key === "properties") {
        for (const [name, property] of Object.entries(member as object))
          if (!("description" in (property as object))) undescribed.push(`${at}.${name}`);
      }
      visit(member, key === "properties" ? at : `${at}.${key}`);
    }
  }
});
