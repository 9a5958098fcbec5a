/** Merges a customer's answers with the stored settings. Pure; finds all issues at once. */
import type { ConfigurationCode } from "@/lib/contract/issue-codes";
import { pointerTo } from "@/lib/contract/pointer";
import type { SettingAction } from "@/lib/contract/installation";
import { SETTING_VALUE_BYTES } from "@/lib/contract/installation-states";
import type { Setting } from "@/lib/contract/manifest";
import { isSensitive, type SettingType } from "@/lib/contract/manifest-terms";
import type { Issue } from "@/lib/contract/problem";

/**
 * What is stored for a setting. Of a sealed value only the type under which it was entered, and whether it fits the setting
 * as it is declared now: the server checks, and reveals no more.
 */
export type KeptSetting =
  { kind: "plain"; value: string } | { kind: "sealed"; type: SettingType; fits: boolean };

/** What to store for a setting. A skipped or cleared setting has no outcome and is absent from the state record. */
export type SettingOutcome =
  | { name: string; store: "keep" }
  | { name: string; store: "plain"; value: string }
  /** `kept`: it was plain until now, and was not entered again. */
  | { name: string; store: "sealed"; value: string; kept?: true };

export interface MergedSettings {
  outcomes: SettingOutcome[];
  issues: Issue[];
}

/**
 * A setting that is left out keeps its stored value, or is skipped if there is none.
 * An issue never repeats the value, which may be a secret. `"********"` is a value like any other.
 */
export function mergeSettings(
  declared: readonly Setting[],
  stored: ReadonlyMap<string, KeptSetting>,
  actions: Readonly<Record<string, SettingAction>>,
): MergedSettings {
  const answers = new Map(Object.entries(actions));
  const known = new Set(declared.map((setting) => setting.name));
  const unknown = [...answers.keys()].filter((name) => !known.has(name));
  const merged: MergedSettings = { outcomes: [], issues: unknown.map((name) => unknownSetting(name)) };
  for (const setting of declared) {
    const result = mergeOne(setting, stored.get(setting.name), answers.get(setting.name));
    if (result === undefined) continue;
    if ("code" in result) merged.issues.push(result);
    else merged.outcomes.push(result);
  }
  return merged;
}

function mergeOne(setting: Setting, stored: KeptSetting | undefined, answer: SettingAction | undefined) {
  switch (answer?.action) {
    case "set":
      return checkValue(setting, answer.value) ?? toOutcome(setting, answer.value);
    case "clear":
      return setting.required === true ? missing(setting) : undefined;
    case "keep":
      return stored === undefined ? nothingToKeep(setting) : keep(setting, stored);
    case undefined:
      if (stored !== undefined) return keep(setting, stored);
      return setting.required === true ? missing(setting) : undefined;
  }
}

/** A sealed value stays sealed. A plain value of a setting that is sensitive now is sealed. */
function keep(setting: Setting, stored: KeptSetting): SettingOutcome | Issue {
  if (!canKeep(setting, stored)) {
    const isEmpty = stored.kind === "plain" && stored.value === "" && setting.type !== "Select";
    return isEmpty ? missing(setting) : askAgain(setting);
  }
  return stored.kind === "plain" && isSensitive(setting)
    ? { name: setting.name, store: "sealed", value: stored.value, kept: true }
    : { name: setting.name, store: "keep" };
}

/**
 * Whether the stored value can be kept under this declaration. A secret that was entered as another type, or is no
 * longer offered, must be entered again. A plain value only has to fit.
 */
export function canKeep(setting: Setting, stored: KeptSetting): boolean {
  if (stored.kind === "plain") return fitsSetting(setting, stored.value);
  return stored.type === setting.type && stored.fits;
}

/** Whether this value is valid for the setting as declared. */
export function fitsSetting(setting: Setting, value: string): boolean {
  return checkValue(setting, value) === undefined;
}

function toOutcome(setting: Setting, value: string): SettingOutcome {
  return { name: setting.name, store: isSensitive(setting) ? "sealed" : "plain", value };
}

/** Half of a surrogate pair, which neither JSON nor UTF-8 can contain. */
const LONE_SURROGATE = /\p{Surrogate}/u;

function checkValue(setting: Setting, value: string): Issue | undefined {
  if (LONE_SURROGATE.test(value))
    return createIssue(
      setting,
      "setting-broken-text",
      "The value contains a broken character. Enter it again.",
    );
  if (value.includes("\0"))
    return createIssue(setting, "setting-nul", "The value contains a NUL character. Remove it.");
  if (new TextEncoder().encode(value).length > SETTING_VALUE_BYTES) {
    return createIssue(setting, "setting-too-long", "The value is longer than 8 KiB. Shorten it.");
  }
  if (setting.type === "Select") {
    const offered = setting.values?.some((item) => item.value === value) === true;
    return offered
      ? undefined
      : createIssue(setting, "setting-not-offered", `Choose one of the values of ${setting.title}.`);
  }
  return value === "" && setting.required === true ? missing(setting) : undefined;
}

function missing(setting: Setting): Issue {
  const message =
    setting.type === "Select" ? `Choose a value for ${setting.title}.` : `Enter ${setting.title}.`;
  return createIssue(setting, "setting-required", message);
}

function askAgain(setting: Setting): Issue {
  const fix = setting.required === true ? "" : " or skip it";
  const verb = setting.type === "Select" ? "Choose" : "Enter";
  return createIssue(
    setting,
    "setting-ask-again",
    `${verb} ${setting.title} again${fix}: the stored value doesn't fit this version of the app.`,
  );
}

function nothingToKeep(setting: Setting): Issue {
  const fix = setting.required === true ? "Enter one." : "Enter one or skip it.";
  return createIssue(setting, "setting-nothing-to-keep", `${setting.title} has no value yet. ${fix}`);
}

function unknownSetting(name: string): Issue {
  const message = "The app does not declare this setting. Reload the page: its version may have changed.";
  return createIssue({ name }, "setting-unknown", message);
}

function createIssue({ name }: Pick<Setting, "name">, code: ConfigurationCode, message: string): Issue {
  return { code, pointer: settingPointer(name), message };
}

/** Points to a setting in the input of a launch or a configuration. */
export function settingPointer(name: string): string {
  return pointerTo("settings", name);
}
