import fc from "fast-check";
import { expect, test } from "vitest";
import type { SettingAction } from "@/lib/contract/catalog/configuration";
import type { Manifest, Setting } from "@/lib/contract/catalog/manifest";
import { isSensitive, listSettings, type SettingType } from "@/lib/contract/platform/manifest-terms";
import { anyTwoManifests } from "@/tests/manifests/manifest-arbitrary";
import {
  type Answers,
  askedBy,
  type KeptSetting,
  mergeAnswers,
  NO_ANSWERS,
  settingPointer,
} from "../catalog/configuration";
import type { Mapping } from "../catalog/mapping/check-mappings";
import { planUpgrade, settingsForRollback } from "./upgrade";

/** A setting with its value unsealed, which no page ever sees. */
interface Held {
  value: string;
  sealed: boolean;
  type: SettingType;
}

interface Case {
  from: Manifest;
  to: Manifest;
  held: Map<string, Held>;
  mappings: Mapping[];
  productNames: string[];
}

const PRODUCTS = ["Auto", "Ho/me~", "constructor"];
const PATHS = ["$.vehicle.vin", "$..make", "$['a b'][0]", "fields[?(@.name=='vin')]", "$.a["];

/** The rule, separate from the code: is the value valid for the setting? */
function does(setting: Setting, value: string): boolean {
  if (setting.type === "Select") return setting.values?.some((item) => item.value === value) === true;
  return value !== "" || setting.required !== true;
}

function anyValue(setting: Setting): fc.Arbitrary<string> {
  if (setting.type === "Select") return fc.constantFrom(...(setting.values ?? []).map((item) => item.value));
  return fc.constantFrom("", "eu", "********", `own-${setting.name}`).filter((value) => does(setting, value));
}

/** A valid configuration of the first manifest. It has what is required, and a sealed value may be plain now. */
const anyCase: fc.Arbitrary<Case> = anyTwoManifests.chain(([from, to]) => {
  const settings = listSettings(from).map((setting) =>
    fc
      .record({ value: anyValue(setting), wasSealed: fc.boolean(), skipped: fc.boolean() })
      .map(({ value, wasSealed, skipped }): [string, Held][] =>
        skipped && setting.required !== true
          ? []
          : [[setting.name, { value, sealed: wasSealed || isSensitive(setting), type: setting.type }]],
      ),
  );
  const mapping = (productName: string) =>
    fc
      .tuple(
        ...(from.core?.fields ?? []).map(({ name, required }) =>
          fc
            .constantFrom(...(required === true ? PATHS : ["", ...PATHS]))
            .map((path): [string, string][] => (path === "" ? [] : [[name, path]])),
        ),
      )
      .map((fields): Mapping => ({ productName, fields: Object.fromEntries(fields.flat()) }));
  return fc.record({
    from: fc.constant(from),
    to: fc.constant(to),
    held: fc.tuple(...settings).map((entries) => new Map(entries.flat())),
    mappings: fc.subarray(PRODUCTS).chain((names) => fc.tuple(...names.map(mapping))),
    productNames: fc.subarray(PRODUCTS),
  });
});

/** As the server reports it: of a sealed value only whether it fits. */
function keptUnder(manifest: Manifest, held: ReadonlyMap<string, Held>): Map<string, KeptSetting> {
  const kept = new Map<string, KeptSetting>();
  for (const setting of listSettings(manifest)) {
    const found = held.get(setting.name);
    if (found?.sealed === false) kept.set(setting.name, { kind: "plain", value: found.value });
    else if (found !== undefined)
      kept.set(setting.name, { kind: "sealed", type: found.type, fits: does(setting, found.value) });
  }
  return kept;
}

function plan({ from, to, held, mappings, productNames }: Case) {
  const kept = keptUnder(to, held);
  const storedNames = [...held.keys()];
  return planUpgrade({ from, to, kept, storedNames, storedMappings: mappings, productNames });
}

function merge({ to, held, mappings, productNames }: Case, answers: Answers) {
  return mergeAnswers(askedBy(to), { kept: keptUnder(to, held), mappings, productNames }, answers);
}

/** A valid answer to each of these pointers. */
function answersTo(to: Manifest, pointers: readonly string[]): Answers {
  const settings: Record<string, SettingAction> = {};
  const mappings: Record<string, Record<string, string>> = {};
  for (const pointer of pointers) {
    const [, kind, name = "", field = ""] = pointer
      .split("/")
      .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
    const setting = listSettings(to).find((one) => one.name === name);
    if (kind === "settings" && setting !== undefined)
      settings[name] = { action: "set", value: setting.values?.[0]?.value ?? `answer-${name}` };
    else mappings[name] = { ...(Object.hasOwn(mappings, name) ? mappings[name] : {}), [field]: "$.answer" };
  }
  return { settings, mappings };
}

/** The configuration after it is applied, unsealed. */
function applied(given: Case, answers: Answers): Map<string, Held> {
  const types = new Map(listSettings(given.to).map(({ name, type }) => [name, type]));
  return new Map(
    merge(given, answers).outcomes.flatMap((outcome): [string, Held][] => {
      const type = types.get(outcome.name);
      if (outcome.store !== "keep" && type !== undefined)
        return [[outcome.name, { value: outcome.value, sealed: outcome.store === "sealed", type }]];
      const held = given.held.get(outcome.name);
      return held === undefined ? [] : [[outcome.name, held]];
    }),
  );
}

function isValid({ to, productNames }: Case, held: ReadonlyMap<string, Held>, mappings: Mapping[]): boolean {
  const settings = listSettings(to).every((setting) => {
    const found = held.get(setting.name);
    return found === undefined ? setting.required !== true : does(setting, found.value);
  });
  const mapped = productNames.every((product) =>
    (to.core?.fields ?? []).every(
      ({ name, required }) =>
        required !== true ||
        mappings.some(({ productName, fields }) => productName === product && Object.hasOwn(fields, name)),
    ),
  );
  return settings && mapped;
}

const RUNS = { numRuns: 250 };

// Guarantee: an upgrade asks for exactly what makes the new version valid, and for nothing else.
test("answering the asks is enough, and each of them is needed", () => {
  fc.assert(
    fc.property(anyCase, (given) => {
      const pointers = plan(given).asks.map((issue) => issue.pointer);
      expect(new Set(pointers).size).toBe(pointers.length);
      const answers = answersTo(given.to, pointers);
      const { issues, mappings } = merge(given, answers);
      expect(issues).toEqual([]);
      expect(isValid(given, applied(given, answers), mappings)).toBe(true);
      for (const left of pointers) {
        const others = pointers.filter((pointer) => pointer !== left);
        expect(merge(given, answersTo(given.to, others)).issues).toMatchObject([{ pointer: left }]);
      }
    }),
    RUNS,
  );
});

// Guarantee: a secret stays sealed through an upgrade, a setting that becomes one is sealed, and nothing shows it.
test("nothing is exposed", () => {
  fc.assert(
    fc.property(anyCase, (given) => {
      const { asks, offers, dropped } = plan(given);
      const answers = answersTo(
        given.to,
        asks.map((issue) => issue.pointer),
      );
      const after = applied(given, answers);
      for (const setting of listSettings(given.to)) {
        const now = after.get(setting.name);
        const isAnswered = Object.hasOwn(answers.settings, setting.name);
        const mustHide =
          isSensitive(setting) || (!isAnswered && given.held.get(setting.name)?.sealed === true);
        if (now !== undefined && mustHide) expect(now.sealed).toBe(true);
      }
      const said = JSON.stringify([asks, offers]);
      const written = JSON.stringify([given.to, given.productNames]);
      for (const { value } of given.held.values())
        if (value.startsWith("own-") && !written.includes(value)) expect(said).not.toContain(value);
      expect(dropped.filter((title) => title.startsWith("own-"))).toEqual([]);
    }),
    RUNS,
  );
});

// Guarantee: what fits keeps its value, what does not is asked for, and what is no longer declared is listed.
test("nothing is lost silently", () => {
  fc.assert(
    fc.property(anyCase, (given) => {
      const { asks, dropped } = plan(given);
      const asked = new Set(asks.map((issue) => issue.pointer));
      const answers = answersTo(given.to, [...asked]);
      const after = applied(given, answers);
      for (const [name, held] of given.held) {
        const setting = listSettings(given.to).find((one) => one.name === name);
        const title = listSettings(given.from).find((one) => one.name === name)?.title;
        if (setting === undefined) expect(dropped).toContain(title);
        else if (does(setting, held.value) && (!held.sealed || held.type === setting.type)) {
          expect(asked).not.toContain(`/settings/${name}`);
          expect(after.get(name)?.value).toBe(held.value);
        } else expect(asked).toContain(`/settings/${name}`);
      }
      const mappings = new Map(
        merge(given, answers).mappings.map((mapping) => [mapping.productName, mapping]),
      );
      for (const { productName, fields } of given.mappings)
        for (const [name, path] of Object.entries(fields)) {
          const isDeclared = given.to.core?.fields?.some((field) => field.name === name) === true;
          const title = given.from.core?.fields?.find((field) => field.name === name)?.title;
          if (!isDeclared) expect(dropped).toContain(title);
          else if (given.productNames.includes(productName))
            expect(mappings.get(productName)?.fields[name]).toBe(path);
        }
    }),
    RUNS,
  );
});

// Guarantee: offered questions are new, were never answered, and are optional.
test("offers are new and optional", () => {
  fc.assert(
    fc.property(anyCase, (given) => {
      const { asks, offers } = plan(given);
      const asked = asks.map((issue) => issue.pointer);
      expect(offers.filter((pointer) => asked.includes(pointer))).toEqual([]);
      const newSettings = listSettings(given.to)
        .filter(
          ({ name }) => !given.held.has(name) && listSettings(given.from).every((old) => old.name !== name),
        )
        .map(({ name }) => `/settings/${name}`);
      const isSetting = (pointer: string) => pointer.startsWith("/settings/");
      expect([...offers, ...asked].filter(isSetting)).toEqual(expect.arrayContaining(newSettings));
      expect(offers.filter(isSetting).every((pointer) => newSettings.includes(pointer))).toBe(true);
      expect(merge(given, answersTo(given.to, [...asked, ...offers])).issues).toEqual([]);
    }),
    RUNS,
  );
});

// Guarantee: a rollback right after an upgrade asks for nothing that was answered before, and restores all of it.
test("rollback", () => {
  fc.assert(
    fc.property(anyCase, (given) => {
      const { from, to, held: older } = given;
      const answers = answersTo(
        to,
        plan(given).asks.map((issue) => issue.pointer),
      );
      const newer = applied(given, answers);
      const taken = settingsForRollback({
        from: to,
        to: from,
        now: keptUnder(from, newer),
        before: keptUnder(from, older),
      });
      const carried = new Map(
        [...taken].flatMap(([name, whose]): [string, Held][] => {
          const found = (whose === "now" ? newer : older).get(name);
          return found === undefined ? [] : [[name, found]];
        }),
      );
      const kept = keptUnder(from, carried);
      const settings = { ...from, core: undefined };
      const { issues } = mergeAnswers(
        askedBy(settings),
        { kept, mappings: [], productNames: [] },
        NO_ANSWERS,
      );
      for (const { pointer } of issues) expect([...older.keys()].map(settingPointer)).not.toContain(pointer);
      for (const [name, held] of older)
        if (listSettings(to).every((setting) => setting.name !== name))
          expect(carried.get(name)).toEqual(held);
    }),
    RUNS,
  );
});

// Guarantee: a rollback does not restore what the customer cleared under the newer version.
test("cleared stays cleared", () => {
  const manifest: Manifest = {
    name: "a/b",
    version: "1.0.0",
    app: { fields: [{ name: "key", title: "Key", type: "Password" }] },
  };
  const before = new Map<string, KeptSetting>([["key", { kind: "sealed", type: "Password", fits: true }]]);
  expect(settingsForRollback({ from: manifest, to: manifest, now: new Map(), before })).toEqual(new Map());
  const without: Manifest = { ...manifest, app: { fields: [] } };
  expect(settingsForRollback({ from: without, to: manifest, now: new Map(), before })).toEqual(
    new Map([["key", "before"]]),
  );
});
