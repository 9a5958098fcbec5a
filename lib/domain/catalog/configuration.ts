/** Merges a customer's answers with what is stored: settings and mappings, for the server and for every form. */
import type {
  CheckResult,
  ConfigurationCheckAnswer,
  SettingAction,
  SettingView,
} from "@/lib/contract/catalog/configuration";
import { SETTING_VALUE_BYTES } from "@/lib/contract/catalog/installation-states";
import type { Manifest, MappingField, Setting } from "@/lib/contract/catalog/manifest";
import type { ConfigurationCode } from "@/lib/contract/platform/issue-codes";
import { isSensitive, listSettings, type SettingType } from "@/lib/contract/platform/manifest-terms";
import { type Issue, pointerTo } from "@/lib/contract/platform/problem";
import { oneLine } from "../platform/text";
import { checkMappings, type Mapping, mergePaths } from "./mapping/check-mappings";

/** What a version asks of its customers. */
interface Asked {
  settings: readonly Setting[];
  mappingFields: readonly MappingField[];
}

export function askedBy(manifest: Manifest): Asked {
  return { settings: listSettings(manifest), mappingFields: manifest.core?.fields ?? [] };
}

/** What is stored, without the secrets' values, and the tenant's products. */
interface Stored {
  kept: ReadonlyMap<string, KeptSetting>;
  mappings: readonly Mapping[];
  productNames: readonly string[];
}

export interface Answers {
  settings: Readonly<Record<string, SettingAction>>;
  mappings: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** New mappings to fields that a product's schema lacks are not refused. */
  allowMissingFields?: boolean;
}

export const NO_ANSWERS: Answers = { settings: {}, mappings: {} };

export interface MergedAnswers {
  outcomes: SettingOutcome[];
  mappings: Mapping[];
  /** All issues. None repeats a value. */
  issues: Issue[];
}

/** Drops the stored mapping of a product that the tenant no longer has. */
export function mergeAnswers(asked: Asked, stored: Stored, answers: Answers): MergedAnswers {
  const { productNames } = stored;
  const { mappingFields } = asked;
  const settings = mergeSettings(asked.settings, stored.kept, answers.settings);
  const present = stored.mappings.filter((mapping) => productNames.includes(mapping.productName));
  const paths = mergePaths(mappingFields, present, answers.mappings);
  const mapped = checkMappings(mappingFields, productNames, paths);
  return {
    outcomes: settings.outcomes,
    mappings: mapped.mappings,
    issues: [...settings.issues, ...mapped.issues],
  };
}

// Merges a customer's answers with the stored settings. Pure; finds all issues at once.

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

interface MergedSettings {
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

const LONGEST_MESSAGE = 500;
const CODE = "configuration-check";

/** Whether the app found it in a check. Such an issue does not prevent saving. */
export function isFoundByApp({ code }: { code: string }): boolean {
  return code === CODE;
}

/**
 * What pages show of an app's answer: plain text of bounded length, at the fields of settings that exist.
 * @param redact removes the secrets that the app received
 */
export function toCheckResult(
  { ok, issues }: ConfigurationCheckAnswer,
  settingNames: readonly string[],
  redact: (text: string) => string,
): CheckResult {
  if (ok) return { outcome: "PASSED" };
  const known = new Set(settingNames);
  return {
    outcome: "ISSUES",
    issues: issues.map(({ setting, message }) => ({
      code: CODE,
      pointer: setting !== undefined && known.has(setting) ? settingPointer(setting) : "",
      message: oneLine(redact(message), LONGEST_MESSAGE) || "The app gave no reason.",
    })),
  };
}

/** What pages may know of a stored setting. `gone`: its revision was scrubbed. */
type StoredSetting =
  { kind: "plain"; value: string } | { kind: "sealed"; updatedAt: string; by: string } | { kind: "gone" };

/** The settings as pages get them. A sensitive one shows only whether it is set, when and by whom. */
export function viewSettings(
  declared: readonly Setting[],
  stored: Readonly<Record<string, StoredSetting>>,
): SettingView[] {
  const byName = new Map(Object.entries(stored));
  return declared.map((setting) => viewSetting(setting, byName.get(setting.name)));
}

function viewSetting(setting: Setting, stored: StoredSetting | undefined): SettingView {
  const { name } = setting;
  // A value that was sealed once stays hidden, whatever later manifests declare.
  if (stored?.kind === "sealed")
    return { name, sensitive: true, configured: true, updatedAt: stored.updatedAt, by: stored.by };
  const plain = stored?.kind === "plain" ? stored.value : undefined;
  if (isSensitive(setting)) return { name, sensitive: true, configured: plain !== undefined };
  return { name, sensitive: false, value: plain };
}

/** A setting without the manifest's unknown keys, which pages don't need. */
export function knownSetting({ name, title, type, hint, required, sensitive, values }: Setting): Setting {
  const items = values?.map(({ text, value }) => ({ text, value }));
  return { name, title, type, hint, required, sensitive, values: items };
}

export function knownMappingField({ name, title, hint, required, format }: MappingField): MappingField {
  return { name, title, hint, required, format };
}

/** What people read: the text of a Select's choice. */
export function choiceText(setting: Setting, value: string | undefined): string | undefined {
  return setting.values?.find((choice) => choice.value === value)?.text ?? value;
}
