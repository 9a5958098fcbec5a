import { describe, expect, test } from "vitest";
import * as z from "zod";
import { signInInput, signUpInput } from "../accounts/account";
import { apiKeyInput } from "../accounts/api-key";
import {
  configurationInput,
  launchInput,
  restoreInput,
  testCallInput,
  upgradeInput,
} from "../catalog/configuration";
import { decisionInput, listingInput, submitReviewInput } from "../catalog/listing";
import { pushDraftInput, releaseInput, saveDraftInput } from "../catalog/manifest-draft";
import { connectionInput, coreEvent, tenantConnectInput } from "./core";
import { JSON_DEPTH, parseInput, parseJson, Problem } from "./problem";

const lists = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const objects = (depth: number) => '{"a":'.repeat(depth) + "1" + "}".repeat(depth);

test("JSON up to the maximum depth is accepted", () => {
  for (const text of ["1", "null", '"x"', "[]", lists(JSON_DEPTH), objects(JSON_DEPTH)])
    expect(parseInput(z.unknown(), text)).toEqual(JSON.parse(text));
});

// Guarantee: no depth of a body breaks the code that reads it; it is refused with a message.
test.each([JSON_DEPTH + 2, 20_000, 200_000])("%d levels are refused", (depth) => {
  for (const text of [lists(depth), objects(depth), `{"data":[1,${lists(depth)}]}`])
    expect(() => parseInput(z.unknown(), text)).toThrow(/nested more than 64 levels deep/);
});

test("invalid JSON is refused", () => {
  for (const text of ["", "{", "NaN"]) {
    expect(parseJson(text)).toBeUndefined();
    expect(() => parseInput(z.unknown(), text)).toThrow(/not valid JSON/);
  }
});

// Guarantee: nothing that a request names is ignored. `__proto__` is a key like any other in JSON, but not in JavaScript.
describe.each(["__proto__", "constructor", "prototype"])("the name %s", (name) => {
  const id = "01900000-0000-7000-8000-000000000001";
  const put = { revision: 1, settings: {}, mappings: {} };
  test.each<[string, z.ZodType, object, string]>([
    ["a setting", configurationInput, { ...put, settings: { $: { action: "clear" } } }, `/settings/${name}`],
    [
      "a mapping field",
      configurationInput,
      { ...put, mappings: { p: { $: "$.vin" } } },
      `/mappings/p/${name}`,
    ],
    ["a product", configurationInput, { ...put, mappings: { $: { vin: "$.vin" } } }, `/mappings/${name}`],
    [
      "a setting of an upgrade",
      upgradeInput,
      { ...put, versionId: id, settings: { $: { action: "keep" } } },
      `/settings/${name}`,
    ],
    [
      "a setting of a launch",
      launchInput,
      { versionId: id, tenantId: id, mappings: {}, settings: { $: { action: "set", value: "x" } } },
      `/settings/${name}`,
    ],
  ])("is refused for %s, with a pointer to it", (_what, shape, body, pointer) => {
    const text = JSON.stringify(body).replace('"$":', `"${name}":`);
    expect(() => parseInput(shape, text)).toThrow(
      expect.objectContaining({ code: "BAD_INPUT", issues: [expect.objectContaining({ pointer })] }),
    );
  });

  test("is refused for a field that does not exist", () => {
    expect(() => parseInput(restoreInput, `{"revision":1,"${name}":{}}`)).toThrow(
      expect.objectContaining({ code: "BAD_INPUT" }),
    );
  });
});

const SHAPES = {
  apiKeyInput,
  configurationInput,
  connectionInput,
  coreEvent,
  decisionInput,
  launchInput,
  listingInput,
  pushDraftInput,
  releaseInput,
  restoreInput,
  saveDraftInput,
  signInInput,
  signUpInput,
  submitReviewInput,
  tenantConnectInput,
  testCallInput,
  upgradeInput,
};

const LONG = "x".repeat(2 * 1024 * 1024);
const BAD_VALUES = [
  undefined,
  null,
  true,
  -1,
  1e21,
  "",
  " ",
  LONG,
  "a\0b",
  "\ud800",
  [],
  {},
  { action: "x" },
];
const ZOD_TEXT = /invalid|expected|received|unrecognized|too (big|small)|undefined|>=|<=/i;

// Guarantee: zod's own text never reaches users, whatever they send.
test.each(Object.entries(SHAPES))(
  "%s describes every issue in plain English",
  (_name, shape: z.ZodObject) => {
    const fields = Object.keys(shape.shape);
    const inputs = [
      null,
      [],
      "x",
      ...BAD_VALUES.map((bad) => Object.fromEntries(fields.map((key) => [key, bad]))),
    ];
    const nested = {
      settings: { a: { action: "set", value: LONG }, b: { action: "x" } },
      mappings: { p: { f: LONG } },
    };
    for (const input of [...inputs, { unknown: 1 }, nested]) {
      let problem: unknown;
      try {
        parseInput(shape, JSON.stringify(input));
      } catch (error) {
        problem = error;
      }
      if (problem === undefined) continue;
      if (!(problem instanceof Problem)) throw problem;
      for (const { message } of problem.issues) {
        expect(message).not.toMatch(ZOD_TEXT);
        expect(message).toMatch(/^[A-Z'].*\.$/);
      }
    }
  },
);
