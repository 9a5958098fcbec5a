import { expect, test } from "vitest";
import { changesInWords, changesOfEdit, hasChanges } from "./changes-of-edit";
import { issuesOfEdit } from "./check-edit";
import {
  answerOf,
  answersToSend,
  NO_EDIT,
  onlyChanges,
  pathOf,
  withAnswer,
  withConfirmed,
  withPath,
  type Answer,
  type ConfigurationEdit,
} from "./configuration-edit";
import { sampleConfiguration } from "@/tests/sample-configuration";

const configuration = sampleConfiguration();

function edited(answers: Record<string, Answer>): ConfigurationEdit {
  return Object.entries(answers).reduce((edit, [name, answer]) => withAnswer(edit, name, answer), NO_EDIT);
}
const plain = (value: string | undefined): Answer => ({ kind: "plain", value });
const replaced = (value?: string): Answer => ({ kind: "secret", choice: "replace", value });
const cleared: Answer = { kind: "secret", choice: "clear", value: undefined };

// Guarantee: opening and saving the page can touch no secret.
test("an untouched configuration sends nothing at all", () => {
  expect(answersToSend(configuration, NO_EDIT)).toEqual({ settings: {}, mappings: {} });
  expect(hasChanges(changesOfEdit(configuration, NO_EDIT))).toBe(false);
});

test("saving one field leaves every other out, secrets too", () => {
  const edit = edited({ region: plain("us") });
  expect(answersToSend(configuration, edit)).toEqual({
    settings: { region: { action: "set", value: "us" } },
    mappings: {},
  });
});

test("a value that was changed and changed back is not sent", () => {
  const edit = withPath(
    edited({ region: plain("eu"), greeting: plain("Hello"), apiKey: { ...cleared, choice: "keep" } }),
    "Auto",
    "vin",
    " $.vehicle.vin ",
  );
  expect(answersToSend(configuration, edit)).toEqual({ settings: {}, mappings: {} });
  const pruned = onlyChanges(configuration, edit);
  expect([pruned.answers.size, pruned.paths.size]).toEqual([0, 0]);
});

test.each([
  ["an optional text that is emptied is cleared", "greeting", plain(undefined), { action: "clear" }],
  ["so it is when the input gives an empty text", "greeting", plain(""), { action: "clear" }],
  ["an empty value that a Select offers is a value", "region", plain(""), { action: "set", value: "" }],
  ["a secret is replaced", "apiKey", replaced("********"), { action: "set", value: "********" }],
  ["a secret is cleared", "token", cleared, { action: "clear" }],
  ["a sensitive Select is set", "plan", replaced("gold"), { action: "set", value: "gold" }],
])("%s", (_, name, answer, action) => {
  expect(answersToSend(configuration, edited({ [name]: answer })).settings).toEqual({ [name]: action });
});

test.each([
  ["to replace a secret with nothing", "apiKey", replaced()],
  ["to replace a secret with an empty text", "token", replaced("")],
  ["to leave a secret that is not set", "plan", replaced()],
  ["to clear a secret that is not set", "plan", cleared],
])("%s sends nothing", (_, name, answer) => {
  expect(answersToSend(configuration, edited({ [name]: answer })).settings).toEqual({});
});

test("a secret that is to be replaced asks for its new value; one that is not set may be left", () => {
  const edit = edited({ token: replaced(""), plan: replaced() });
  expect(issuesOfEdit(configuration, edit)).toMatchObject([
    { pointer: "/settings/token", code: "setting-new-value" },
  ]);
});

test("a required text that is emptied is named, and so is a required path", () => {
  const required = sampleConfiguration({
    declared: [{ name: "greeting", title: "Greeting", type: "Text", required: true }],
    settings: [{ name: "greeting", sensitive: false, value: "Hello" }],
  });
  const edit = withPath(edited({ greeting: plain(undefined) }), "Auto", "vin", "");
  expect(issuesOfEdit(required, edit)).toMatchObject([
    { pointer: "/settings/greeting", code: "setting-required" },
    { pointer: "/mappings/Auto/vin", code: "mapping-required" },
  ]);
});

test("no issue repeats what was typed", () => {
  const canary = "canary-5b1f";
  const edit = edited({ plan: replaced(canary), apiKey: replaced(`${canary}\0`) });
  const issues = issuesOfEdit(configuration, edit);
  expect(issues.map(({ pointer }) => pointer)).toEqual(["/settings/apiKey", "/settings/plan"]);
  expect(JSON.stringify(issues)).not.toContain(canary);
});

test("only the paths that changed are sent; an emptied one is sent as empty", () => {
  const edit = withPath(NO_EDIT, "Auto", "make", "  ");
  expect(answersToSend(configuration, edit).mappings).toEqual({ Auto: { make: "" } });
  expect(pathOf(edit, configuration, "Auto", "vin")).toBe("$.vehicle.vin");
});

test("names of a hostile manifest reach no prototype", () => {
  const hostile = sampleConfiguration({
    mappingFields: [{ name: "constructor", title: "Odd" }],
    mappings: [],
    products: [
      { name: "__proto__", schema: 7, changedAt: "2026-11-01T10:00:00.000Z", changedSinceMapped: false },
    ],
  });
  expect(pathOf(NO_EDIT, hostile, "__proto__", "constructor")).toBe("");
  const sent = answersToSend(hostile, withPath(NO_EDIT, "__proto__", "constructor", "$.a"));
  expect(JSON.stringify(sent.mappings)).toBe('{"__proto__":{"constructor":"$.a"}}');
});

test("what was typed outlives a setting that was sealed, or opened, meanwhile", () => {
  const sealed = { name: "greeting", sensitive: true, configured: true } as const;
  expect(answerOf(edited({ greeting: plain("Hi") }), sealed)).toEqual(replaced("Hi"));
  const open = { name: "token", sensitive: false, value: "old" } as const;
  expect(answerOf(edited({ token: replaced("new") }), open)).toEqual(plain("new"));
});

test("the bar says what changes in one line", () => {
  const edit = withPath(
    edited({ region: plain("us"), greeting: plain(undefined), apiKey: replaced("k"), token: cleared }),
    "Auto",
    "vin",
    "$.vin",
  );
  expect(changesInWords(changesOfEdit(configuration, edit))).toBe(
    "2 settings changed, Provider key replaced, Token cleared, 1 mapping field changed",
  );
  const waiting = edited({ apiKey: replaced(), plan: replaced("gold") });
  expect(changesInWords(changesOfEdit(configuration, waiting))).toBe(
    "Plan set, Provider key waits for a new value",
  );
  expect(changesInWords(changesOfEdit(configuration, NO_EDIT))).toBe("");
});

// Guarantee: a mapping is sent as it is only where somebody says that it is right for a schema that changed.
test("a mapping that is found right as it is sends its paths, and is named", () => {
  const products = configuration.products.map((product) => ({ ...product, changedSinceMapped: true }));
  const changed = sampleConfiguration({ products });
  expect(answersToSend(changed, NO_EDIT).mappings).toEqual({});
  const edit = withConfirmed(NO_EDIT, "Auto", true);
  expect(answersToSend(changed, edit).mappings).toEqual({
    Auto: { vin: "$.vehicle.vin", make: "$.vehicle.make" },
  });
  expect(changesInWords(changesOfEdit(changed, edit))).toBe("mapping of Auto confirmed");
  expect([...onlyChanges(changed, edit).confirmed]).toEqual(["Auto"]);
  const alsoChanged = withPath(edit, "Auto", "vin", "$.vin");
  expect(answersToSend(changed, alsoChanged).mappings).toEqual({ Auto: { vin: "$.vin" } });
  expect(changesInWords(changesOfEdit(changed, alsoChanged))).toBe("1 mapping field changed");
  expect(answersToSend(changed, withConfirmed(edit, "Auto", false)).mappings).toEqual({});
  expect(answersToSend(configuration, edit).mappings).toEqual({});
});
