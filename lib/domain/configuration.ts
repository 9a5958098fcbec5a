/** What a customer's answers make of an app's settings: pure, and every problem at once. */
import { SETTING_VALUE_BYTES, type SettingAction } from "@/lib/contract/installation";
import { isSensitive, type Setting } from "@/lib/contract/manifest";
import type { Issue } from "@/lib/contract/problem";

/** What is stored of a setting already. A sealed value is not opened here, so only its being there counts. */
export type KeptSetting = { kind: "plain"; value: string } | { kind: "sealed" };

/** What to store of a setting. A skipped or cleared one has no outcome: it is absent from the state record. */
export type SettingOutcome =
  | { name: string; store: "keep" }
  | { name: string; store: "plain"; value: string }
  | { name: string; store: "sealed"; value: string };

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
  if (stored.kind === "sealed") return { name: setting.name, store: "keep" };
  const fault = checkValue(setting, stored.value);
  if (fault !== undefined) return fault;
  return isSensitive(setting) ? outcomeOf(setting, stored.value) : { name: setting.name, store: "keep" };
}

function outcomeOf(setting: Setting, value: string): SettingOutcome {
  return { name: setting.name, store: isSensitive(setting) ? "sealed" : "plain", value };
}

function checkValue(setting: Setting, value: string): Issue | undefined {
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

function nothingToKeep(setting: Setting): Issue {
  return issueOf(
    setting.name,
    "setting-nothing-to-keep",
    `'${setting.title}' has no value yet. Enter one, or skip it.`,
  );
}

function unknownSetting(name: string): Issue {
  return issueOf(
    name,
    "setting-unknown",
    "The app declares no such setting. Load the page again: its version may have changed.",
  );
}

function issueOf(name: string, code: string, message: string): Issue {
  return { code, pointer: `/settings/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`, message };
}
