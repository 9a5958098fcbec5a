/** What a customer's answers make of an app's settings: pure, and every problem at once. */
import { pointerTo } from "@/lib/contract/pointer";
import { SETTING_VALUE_BYTES, type SettingAction } from "@/lib/contract/installation";
import { isSensitive, type Setting, type SettingType } from "@/lib/contract/manifest";
import type { Issue } from "@/lib/contract/problem";

/**
 * What is stored of a setting already. Of a sealed value only what it was entered as, and whether it would do for the
 * setting as it is declared now: the server looks, and says no more than that.
 */
export type KeptSetting =
  { kind: "plain"; value: string } | { kind: "sealed"; type: SettingType; fits: boolean };

/** What to store of a setting. A skipped or cleared one has no outcome: it is absent from the state record. */
export type SettingOutcome =
  | { name: string; store: "keep" }
  | { name: string; store: "plain"; value: string }
  /** `kept`: it was plain until now, and nobody entered it anew. */
  | { name: string; store: "sealed"; value: string; kept?: true };

export interface MergedSettings {
  outcomes: SettingOutcome[];
  issues: Issue[];
}

/**
 * Leaving a setting out keeps what is stored, or skips it where nothing is.
 * An issue never repeats the value: it may be a secret, and `"********"` is a value as good as any.
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
      return checkValue(setting, answer.value) ?? outcomeOf(setting, answer.value);
    case "clear":
      return setting.required === true ? missing(setting) : undefined;
    case "keep":
      return stored === undefined ? nothingToKeep(setting) : keep(setting, stored);
    case undefined:
      if (stored !== undefined) return keep(setting, stored);
      return setting.required === true ? missing(setting) : undefined;
  }
}

/** A value that was sealed once stays sealed; one that the manifest has made sensitive since is sealed now. */
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
 * Can what is stored stay under this declaration? A secret that was entered as another type, or that is not offered any
 * more, is asked for again; a value that could be read all along only has to fit.
 */
export function canKeep(setting: Setting, stored: KeptSetting): boolean {
  if (stored.kind === "plain") return fitsSetting(setting, stored.value);
  return stored.type === setting.type && stored.fits;
}

/** Would this value do for the setting as it is declared? */
export function fitsSetting(setting: Setting, value: string): boolean {
  return checkValue(setting, value) === undefined;
}

function outcomeOf(setting: Setting, value: string): SettingOutcome {
  return { name: setting.name, store: isSensitive(setting) ? "sealed" : "plain", value };
}

/** Half of a pair that makes one character: no JSON and no UTF-8 has it. */
const LONE_SURROGATE = /\p{Surrogate}/u;

function checkValue(setting: Setting, value: string): Issue | undefined {
  if (LONE_SURROGATE.test(value))
    return issueOf(setting.name, "setting-broken-text", "The value holds half a character. Enter it again.");
  if (value.includes("\0"))
    return issueOf(setting.name, "setting-nul", "A value cannot hold a NUL character.");
  if (new TextEncoder().encode(value).length > SETTING_VALUE_BYTES) {
    return issueOf(setting.name, "setting-too-long", "A value has at most 8 KiB.");
  }
  if (setting.type === "Select") {
    const offered = setting.values?.some((item) => item.value === value) === true;
    return offered
      ? undefined
      : issueOf(
          setting.name,
          "setting-not-offered",
          `Choose one of the values that '${setting.title}' offers.`,
        );
  }
  return value === "" && setting.required === true ? missing(setting) : undefined;
}

function missing(setting: Setting): Issue {
  const message =
    setting.type === "Select" ? `Choose a value for '${setting.title}'.` : `Fill in '${setting.title}'.`;
  return issueOf(setting.name, "setting-required", `${message} The app needs it.`);
}

function askAgain(setting: Setting): Issue {
  const mend = setting.required === true ? "The app needs it." : "Or skip it.";
  const verb = setting.type === "Select" ? "Choose" : "Enter";
  return issueOf(
    setting.name,
    "setting-ask-again",
    `${verb} '${setting.title}' again: what is stored does not fit what the app declares now. ${mend}`,
  );
}

function nothingToKeep(setting: Setting): Issue {
  const mend = setting.required === true ? "Enter one: the app needs it." : "Enter one, or skip it.";
  return issueOf(setting.name, "setting-nothing-to-keep", `'${setting.title}' has no value yet. ${mend}`);
}

function unknownSetting(name: string): Issue {
  return issueOf(
    name,
    "setting-unknown",
    "The app declares no such setting. Load the page again: its version may have changed.",
  );
}

function issueOf(name: string, code: string, message: string): Issue {
  return { code, pointer: settingPointer(name), message };
}

/** Where a setting is in a launch's or a configuration's input. */
export function settingPointer(name: string): string {
  return pointerTo("settings", name);
}
