import { expect, test } from "vitest";
import type { SettingAction } from "@/lib/contract/catalog/configuration";
import type { Setting } from "@/lib/contract/catalog/manifest";
import { type KeptSetting, mergeSettings, type SettingOutcome } from "./configuration";

const region: Setting = {
  name: "region",
  title: "Region",
  type: "Select",
  values: [{ text: "Europe", value: "eu" }],
};
const note: Setting = { name: "note", title: "Note", type: "Text" };
const key: Setting = { name: "key", title: "Key", type: "Password", required: true };
const hidden: Setting = { name: "hidden", title: "Hidden", type: "Text", sensitive: true };

const set = (value: string): SettingAction => ({ action: "set", value });
const PLAIN: KeptSetting = { kind: "plain", value: "eu" };
const SEALED: KeptSetting = { kind: "sealed", type: "Password", fits: true };

interface Row {
  what: string;
  setting: Setting;
  stored?: KeptSetting;
  action?: SettingAction;
  outcome?: SettingOutcome;
  code?: string;
}

const rows: Row[] = [
  {
    what: "a value that is set",
    setting: note,
    action: set("hi"),
    outcome: { name: "note", store: "plain", value: "hi" },
  },
  {
    what: "an empty string is a value",
    setting: note,
    action: set(""),
    outcome: { name: "note", store: "plain", value: "" },
  },
  { what: "but not for a required one", setting: key, action: set(""), code: "setting-required" },
  {
    what: "asterisks are a value",
    setting: key,
    action: set("********"),
    outcome: { name: "key", store: "sealed", value: "********" },
  },
  {
    what: "a sensitive Text is sealed",
    setting: hidden,
    action: set("s"),
    outcome: { name: "hidden", store: "sealed", value: "s" },
  },
  {
    what: "a sensitive Select is sealed",
    setting: { ...region, sensitive: true },
    action: set("eu"),
    outcome: { name: "region", store: "sealed", value: "eu" },
  },
  { what: "skipped is absent", setting: note },
  { what: "cleared is absent", setting: note, stored: PLAIN, action: { action: "clear" } },
  {
    what: "a required one cannot be cleared",
    setting: key,
    stored: SEALED,
    action: { action: "clear" },
    code: "setting-required",
  },
  { what: "a required one cannot be skipped", setting: key, code: "setting-required" },
  {
    what: "left out, the secret is kept",
    setting: key,
    stored: SEALED,
    outcome: { name: "key", store: "keep" },
  },
  {
    what: "keep keeps",
    setting: region,
    stored: PLAIN,
    action: { action: "keep" },
    outcome: { name: "region", store: "keep" },
  },
  {
    what: "keep without a stored value",
    setting: note,
    action: { action: "keep" },
    code: "setting-nothing-to-keep",
  },
  {
    what: "sealed once, hidden for good",
    setting: note,
    stored: { kind: "sealed", type: "Text", fits: true },
    outcome: { name: "note", store: "keep" },
  },
  {
    what: "made sensitive: sealed now",
    setting: hidden,
    stored: PLAIN,
    outcome: { name: "hidden", store: "sealed", value: "eu", kept: true },
  },
  {
    what: "an option that is gone is asked for again",
    setting: region,
    stored: { kind: "plain", value: "us" },
    code: "setting-ask-again",
  },
  {
    what: "a secret of another type is asked for again",
    setting: note,
    stored: SEALED,
    action: { action: "keep" },
    code: "setting-ask-again",
  },
  {
    what: "so is one that does not fit any more",
    setting: { ...region, sensitive: true },
    stored: { kind: "sealed", type: "Select", fits: false },
    code: "setting-ask-again",
  },
  {
    what: "until it is set",
    setting: note,
    stored: SEALED,
    action: set("hi"),
    outcome: { name: "note", store: "plain", value: "hi" },
  },
  { what: "or cleared", setting: note, stored: SEALED, action: { action: "clear" } },
  {
    what: "an empty one that is required now",
    setting: { ...note, required: true },
    stored: { kind: "plain", value: "" },
    code: "setting-required",
  },
  { what: "a value that is not offered", setting: region, action: set("mars"), code: "setting-not-offered" },
  {
    what: "8 KiB fit",
    setting: note,
    action: set("x".repeat(8192)),
    outcome: { name: "note", store: "plain", value: "x".repeat(8192) },
  },
  {
    what: "8 KiB and a byte do not fit",
    setting: note,
    action: set("ä".repeat(4096) + "x"),
    code: "setting-too-long",
  },
  {
    what: "half a surrogate pair",
    setting: key,
    action: set("\ud800"),
    code: "setting-broken-text",
  },
  { what: "NUL", setting: note, action: set("a\0b"), code: "setting-nul" },
];

// Guarantee: keep, set and clear do exactly what the design says, and a skipped setting is absent.
test.each(rows)("$what", ({ setting, stored, action, outcome, code }) => {
  const kept = new Map(stored === undefined ? [] : [[setting.name, stored]]);
  const { outcomes, issues } = mergeSettings(
    [setting],
    kept,
    action === undefined ? {} : { [setting.name]: action },
  );
  expect(outcomes).toEqual(outcome === undefined ? [] : [outcome]);
  expect(issues.map((issue) => [issue.code, issue.pointer])).toEqual(
    code === undefined ? [] : [[code, `/settings/${setting.name}`]],
  );
});

// Guarantee: all issues are found at once, and none repeats what was typed.
test("every issue is reported without its value", () => {
  const actions = { region: set("canary-1"), key: set(""), note: set("canary-2\0"), "a/b~": set("canary-3") };
  const { issues } = mergeSettings([region, note, key], new Map(), actions);
  expect(issues.map((issue) => issue.pointer)).toEqual([
    "/settings/a~1b~0",
    "/settings/region",
    "/settings/note",
    "/settings/key",
  ]);
  expect(JSON.stringify(issues)).not.toContain("canary");
});

// Guarantee: a setting cannot reach an object's prototype.
test("__proto__ is an unknown setting like any other", () => {
  const actions: Record<string, SettingAction> = JSON.parse('{"__proto__": {"action": "set", "value": "x"}}');
  expect(mergeSettings([note], new Map(), actions).issues).toMatchObject([{ code: "setting-unknown" }]);
});
