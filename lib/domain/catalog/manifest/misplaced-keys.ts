/**
 * Members that would be ignored although the app depends on them. Unknown keys are kept with a warning, because they may be the
 * publisher's own. These are not: they were written for the platform, in another place or an earlier form, and without them customers
 * would configure and call an app that does nothing. So each is an error that says what to write instead.
 */
import { SETTING_TYPES } from "@/lib/contract/platform/manifest-terms";
import { type Issue, pointerTo } from "@/lib/contract/platform/problem";
import { getMember, isRecord, type Path, valueAt } from "../../platform/json-text/json-value";
import { findSimilar } from "../../platform/text";
import { ENTRY_LISTS } from "./entry";

/** Where each list of the manifest belongs. `fields` is in two places. */
const LISTS = new Map(
  Object.values(ENTRY_LISTS)
    .filter(([, key]) => key !== "fields")
    .map(([section, key]) => [key as string, `${section}.${key}`]),
);

const CONFIG_HINT =
  'Move the entries of "config.fields" to "app.fields", with the types "Select", "Text", and "Password". Entries of the type "mapped" go to "core.fields", without a type.';
const ENV_HINT =
  'Set what never changes with ENV in the Dockerfile. Make what customers choose a setting in "app.fields".';

export function misplacedKeys(value: unknown): Issue[] {
  if (!isRecord(value)) return [];
  return [
    ...(isFilled(value.config)
      ? [misplaced(["config"], "is the settings of an earlier form of the manifest", CONFIG_HINT)]
      : []),
    ...(isFilled(value.env) ? [misplaced(["env"], "sets no variables of the container", ENV_HINT)] : []),
    ...renamedSections(value),
    ...listsElsewhere(value, []),
    ...listsElsewhere(value.app, ["app"]),
    ...misspelledLists(value.app, "app", ["fields"]),
    ...misspelledLists(value.core, "core", ["fields", ...LISTS.keys()]),
    ...mappedSettings(value),
  ];
}

/** Lists that are right beside the section that they belong to. */
function listsElsewhere(container: unknown, path: Path): Issue[] {
  if (!isRecord(container)) return [];
  const isRoot = path.length === 0;
  return Object.keys(container).flatMap((key): Issue[] => {
    const list = container[key];
    if (!isList(list) || isOwn(key) || (!isRoot && key === "fields")) return [];
    const place = key === "fields" || areSettings(list) ? "app.fields" : LISTS.get(key);
    return place === undefined
      ? []
      : [misplaced([...path, key], "is in the wrong place", `Move it to "${place}".`)];
  });
}

/** Lists under a name that is almost the right one, which is missing. */
function misspelledLists(container: unknown, section: string, names: readonly string[]): Issue[] {
  if (!isRecord(container)) return [];
  const missing = names.filter((name) => !Object.hasOwn(container, name));
  return Object.keys(container).flatMap((key): Issue[] => {
    if (names.includes(key) || !isList(container[key]) || (section === "app" && areSettings(container[key])))
      return [];
    const meant = findSimilar(key, missing);
    if (meant === undefined) return [];
    return [misplaced([section, key], `looks like "${meant}", which is missing`, `Rename it to "${meant}".`)];
  });
}

/** Sections with the content of `app` or `core` under another name, such as a product's. */
function renamedSections(value: Record<string, unknown>): Issue[] {
  return Object.keys(value).flatMap((key): Issue[] => {
    if (["app", "core", "config"].includes(key) || isOwn(key)) return [];
    const section = readSection(value[key]);
    if (section === undefined || Object.hasOwn(value, section)) return [];
    const what = `looks like the section "${section}", which is missing`;
    return [misplaced([key], what, `Rename it to "${section}".`)];
  });
}

function readSection(value: unknown): "app" | "core" | undefined {
  if ([...LISTS.keys()].some((list) => isList(getMember(value, list)))) return "core";
  const fields = getMember(value, "fields");
  if (areSettings(fields)) return "app";
  return areNamed(fields) ? "core" : undefined;
}

function areNamed(list: unknown): list is Record<string, unknown>[] {
  return isList(list) && list.every((item) => isRecord(item) && "name" in item && "title" in item);
}

function areSettings(list: unknown): boolean {
  const types: readonly unknown[] = SETTING_TYPES;
  return areNamed(list) && list.every(({ type }) => types.includes(type));
}

/** A key of the publisher's own. */
function isOwn(key: string): boolean {
  return key.startsWith("x-");
}

/** In an earlier form, mapping fields were settings of a type of their own. */
function mappedSettings(value: unknown): Issue[] {
  const settings = valueAt(value, ["app", "fields"]);
  if (!Array.isArray(settings)) return [];
  return settings.flatMap((setting: unknown, index): Issue[] => {
    const type = getMember(setting, "type");
    if (typeof type !== "string" || type.toLowerCase() !== "mapped") return [];
    const hint = 'Move this entry to "core.fields", and remove its type.';
    return [misplaced(["app", "fields", index, "type"], "makes this a mapping field, not a setting", hint)];
  });
}

function misplaced(path: Path, what: string, hint: string): Issue {
  const message = `"${String(path.at(-1))}" ${what}. The platform would ignore it, although the app depends on it.`;
  return { code: "MISPLACED_KEY", pointer: pointerTo(...path), message, hint };
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length > 0;
}

function isFilled(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length > 0;
}
