import { expect, test } from "vitest";
import type { Setting } from "@/lib/contract/catalog/manifest";
import { sampleConfiguration, sampleOffer } from "@/tests/samples/configuration";
import {
  type Answer,
  type AnswerForm,
  AnswerSheet,
  type ChosenAnswers,
  LOST_SECRET,
  UNTOUCHED,
  withAnswers,
} from "./answer-sheet";

const configuration = sampleConfiguration();
const offer = sampleOffer();

const set = (text?: string): Answer => ({ action: "set", text });
const clear: Answer = { action: "clear" };
const keep: Answer = { action: "keep" };

function answer(answers: Record<string, Answer>): ChosenAnswers {
  return withAnswers(UNTOUCHED, Object.entries(answers));
}

function openSheet(form: AnswerForm, answers: Record<string, Answer> = {}): AnswerSheet {
  return new AnswerSheet(form, answer(answers));
}

function declared(form: AnswerForm, name: string): Setting {
  const setting = form.declared.find((each) => each.name === name);
  if (setting === undefined) throw new Error(`${name} is not declared`);
  return setting;
}

// Guarantee: opening and saving a form can change no secret.
test("an untouched form sends nothing at all", () => {
  for (const form of [configuration, offer]) {
    const sheet = openSheet(form);
    expect(sheet.toSend()).toEqual({ settings: {}, mappings: {} });
    expect(sheet.changes().size).toBe(0);
  }
});

test("saving one field leaves out every other, secrets too", () => {
  expect(openSheet(configuration, { "/settings/region": set("us") }).toSend()).toEqual({
    settings: { region: { action: "set", value: "us" } },
    mappings: {},
  });
});

test("a value that was changed and changed back is not sent", () => {
  const sheet = openSheet(configuration, {
    "/settings/region": set("eu"),
    "/settings/greeting": set("Hello"),
    "/settings/apiKey": { ...keep, text: "typed before" },
    "/mappings/Auto/vin": set(" $.vehicle.vin "),
  });
  expect(sheet.toSend()).toEqual({ settings: {}, mappings: {} });
  expect(sheet.changes().size).toBe(0);
});

test.each<[string, string, Answer, object]>([
  ["an emptied optional text is cleared", "greeting", set(), { action: "clear" }],
  ["also if the input gives an empty text", "greeting", set(""), { action: "clear" }],
  ["an empty value that a Select offers is a value", "region", set(""), { action: "set", value: "" }],
  ["a secret is replaced", "apiKey", set("********"), { action: "set", value: "********" }],
  ["a secret is cleared", "token", clear, { action: "clear" }],
  ["a sensitive Select is set", "plan", set("gold"), { action: "set", value: "gold" }],
])("%s", (_, name, given, action) => {
  expect(openSheet(configuration, { [`/settings/${name}`]: given }).toSend().settings).toEqual({
    [name]: action,
  });
});

test.each<[string, string, Answer]>([
  ["replacing a secret with nothing", "apiKey", set()],
  ["replacing a secret with an empty text", "token", set("")],
  ["leaving a secret that is not set", "plan", set()],
  ["clearing a secret that is not set", "plan", clear],
])("%s sends nothing", (_, name, given) => {
  expect(openSheet(configuration, { [`/settings/${name}`]: given }).toSend().settings).toEqual({});
});

test("a secret that is being replaced asks for its new value; one that is not set may stay empty", () => {
  const sheet = openSheet(configuration, { "/settings/token": set(""), "/settings/plan": set() });
  expect(sheet.issues()).toMatchObject([{ pointer: "/settings/token", code: "setting-new-value" }]);
  expect([...sheet.changes().keys()]).toEqual(["/settings/token"]);
});

test("an emptied required text is reported, and so is a required path", () => {
  const form = sampleConfiguration({
    declared: [{ name: "greeting", title: "Greeting", type: "Text", required: true }],
    settings: [{ name: "greeting", sensitive: false, value: "Hello" }],
  });
  expect(
    openSheet(form, { "/settings/greeting": set(), "/mappings/Auto/vin": set("") }).issues(),
  ).toMatchObject([
    { pointer: "/settings/greeting", code: "setting-required" },
    { pointer: "/mappings/Auto/vin", code: "mapping-required" },
  ]);
});

test("no issue repeats what was typed", () => {
  const canary = "canary-5b1f";
  const issues = openSheet(configuration, {
    "/settings/apiKey": set(`${canary}\0`),
    "/settings/token": set(`${canary}\0`),
  }).issues();
  expect(issues.map(({ pointer }) => pointer)).toEqual(["/settings/apiKey", "/settings/token"]);
  expect(JSON.stringify(issues)).not.toContain(canary);
});

test("only changed paths are sent; an emptied one is sent as empty", () => {
  const sheet = openSheet(configuration, { "/mappings/Auto/make": set("  ") });
  expect(sheet.toSend().mappings).toEqual({ Auto: { make: "" } });
  expect(sheet.path("Auto", "vin")).toBe("$.vehicle.vin");
});

test("names of a hostile manifest reach no prototype", () => {
  const hostile = sampleConfiguration({
    mappingFields: [{ name: "constructor", title: "Odd" }],
    mappings: [],
    products: [
      { name: "__proto__", schema: 7, changedAt: "2026-11-01T10:00:00.000Z", changedSinceMapped: false },
    ],
  });
  expect(openSheet(hostile).path("__proto__", "constructor")).toBe("");
  const sent = openSheet(hostile, { "/mappings/__proto__/constructor": set("$.a") }).toSend();
  expect(JSON.stringify(sent.mappings)).toBe('{"__proto__":{"constructor":"$.a"}}');
});

test("typed text outlives a setting that becomes a secret, or stops being one", () => {
  const sealed = sampleConfiguration({
    settings: [{ name: "greeting", sensitive: true, configured: true }],
  });
  const typed = openSheet(sealed, { "/settings/greeting": set("Hi") });
  expect(typed.answer(declared(sealed, "greeting"))).toEqual(set("Hi"));
  const open = sampleConfiguration({ settings: [{ name: "token", sensitive: false, value: "old" }] });
  expect(openSheet(open, { "/settings/token": set("new") }).value(declared(open, "token"))).toBe("new");
});

// Guarantee: answers that the form does not ask for, or no longer offers, are kept and not sent.
test("vanished settings and choices", () => {
  const sheet = openSheet(configuration, {
    "/settings/old": set("x"),
    "/settings/region": set("gone"),
    "/mappings/Boat/vin": set("$.vin"),
  });
  expect(sheet.answers.size).toBe(3);
  expect(sheet.toSend()).toEqual({ settings: {}, mappings: {} });
  expect(sheet.value(declared(configuration, "region"))).toBe("eu");
});

// Guarantee: an unchanged mapping is only sent if the customer keeps it for a schema that changed.
test("a mapping that is kept for a changed schema sends its paths", () => {
  const products = configuration.products.map((product) => ({ ...product, changedSinceMapped: true }));
  const changed = sampleConfiguration({ products });
  expect(openSheet(changed).toSend().mappings).toEqual({});
  const kept = openSheet(changed, { "/mappings/Auto": keep });
  expect(kept.toSend().mappings).toEqual({ Auto: { vin: "$.vehicle.vin", make: "$.vehicle.make" } });
  expect([...kept.changes().keys()]).toEqual(["/mappings/Auto"]);
  const edited = openSheet(changed, { "/mappings/Auto": keep, "/mappings/Auto/vin": set("$.vin") });
  expect(edited.toSend().mappings).toEqual({ Auto: { vin: "$.vin" } });
  expect(edited.isMappingKept("Auto")).toBe(false);
  expect(openSheet(configuration, { "/mappings/Auto": keep }).toSend().mappings).toEqual({});
});

const upgradeAnswers = {
  "/settings/endpoint": set("https://api.example"),
  "/settings/currency": set("USD"),
  "/settings/discount": clear,
  "/mappings/Auto/birthDate": set(" $.driver.birthDate "),
};

test("an upgrade does not send what it keeps: secrets, settings and paths", () => {
  const sheet = openSheet(offer, upgradeAnswers);
  expect(sheet.toSend()).toEqual({
    settings: {
      endpoint: { action: "set", value: "https://api.example" },
      currency: { action: "set", value: "USD" },
      discount: { action: "clear" },
    },
    mappings: { Auto: { birthDate: "$.driver.birthDate" } },
  });
  expect(sheet.issues()).toEqual([]);
});

test("before anything is answered, the issues are exactly what the upgrade asks", () => {
  const found = openSheet(offer).issues();
  expect(found.map(({ code, pointer }) => [code, pointer])).toEqual(
    offer.asks.map(({ code, pointer }) => [code, pointer]),
  );
});

test("a skipped Select stays skipped when the choice made before is no longer offered", () => {
  const sheet = openSheet(offer, { "/settings/currency": { ...clear, text: "GBP" } });
  expect(sheet.toSend().settings).toEqual({ currency: { action: "clear" } });
});

test("a required setting cannot be skipped", () => {
  const sheet = openSheet(offer, { "/settings/endpoint": clear });
  expect(sheet.toSend().settings).toEqual({});
  expect(sheet.issues()[0]?.pointer).toBe("/settings/endpoint");
});

test("a stored choice that is no longer offered is not selected, and a secret is in no input", () => {
  const sheet = openSheet(offer);
  const shown = ["endpoint", "currency", "discount"].map((name) => sheet.value(declared(offer, name)));
  expect(shown).toEqual([undefined, undefined, undefined]);
});

test("an emptied input stays empty, and asks again", () => {
  const long = "x".repeat(9000);
  const asks = [
    { code: "setting-ask-again" as const, pointer: "/settings/note", message: "Enter 'Note' again." },
  ];
  const form = sampleOffer({ asks, settings: [{ name: "note", sensitive: false, value: long }] });
  const note = declared(form, "note");
  expect(openSheet(form).value(note)).toBe(long);
  const emptied = openSheet(form, { "/settings/note": set() });
  expect(emptied.value(note)).toBeUndefined();
  expect(emptied.action(note)).toBeUndefined();
  expect(emptied.issues().map(({ pointer }) => pointer)).toContain("/settings/note");
});

test("offered answers are only sent when they are filled in", () => {
  const some = {
    ...upgradeAnswers,
    "/settings/note": set("Ask first"),
    "/mappings/Auto/parking": set("$.parking"),
  };
  expect(openSheet(offer, some).toSend()).toMatchObject({
    settings: { note: { action: "set", value: "Ask first" } },
    mappings: { Auto: { birthDate: "$.driver.birthDate", parking: "$.parking" } },
  });
});

test("a stored path that is asked again is in its input, and may be emptied if it is optional", () => {
  const form = sampleOffer({
    declared: [],
    mappingFields: [{ name: "parking", title: "Parking" }],
    mappings: [{ productName: "Auto", fields: { parking: "$..parking\u0007" } }],
    asks: [{ code: "mapping-characters", pointer: "/mappings/Auto/parking", message: "Not a path." }],
    offers: [],
  });
  expect(openSheet(form).path("Auto", "parking")).toBe("$..parking\u0007");
  expect(openSheet(form).issues()).toMatchObject([{ code: "mapping-characters" }]);
  const emptied = openSheet(form, { "/mappings/Auto/parking": set("") });
  expect(emptied.toSend().mappings).toEqual({ Auto: { parking: "" } });
  expect(emptied.issues()).toEqual([]);
});

// Guarantee: a secret that a draft lost is asked for until it is entered or skipped on purpose, required or not.
test("a lost secret is an issue until it is entered or skipped", () => {
  const declared = [
    { name: "token", title: "Token", type: "Password" as const },
    { name: "key", title: "Key", type: "Password" as const, required: true },
  ];
  const asks = declared.map(({ name }) => ({
    code: LOST_SECRET,
    pointer: `/settings/${name}`,
    message: "Again",
  }));
  const form = { declared, mappingFields: [], settings: [], mappings: [], products: [], asks };
  const issues = (answers: Record<string, Answer>) =>
    openSheet(form, answers)
      .issues()
      .map(({ pointer, code }) => `${pointer} ${code}`);
  expect(issues({})).toEqual(["/settings/token setting-lost", "/settings/key setting-lost"]);
  expect(issues({ "/settings/token": clear, "/settings/key": set("new") })).toEqual([]);
  expect(issues({ "/settings/token": set("t"), "/settings/key": clear })).toEqual([
    "/settings/key setting-required",
  ]);
});
