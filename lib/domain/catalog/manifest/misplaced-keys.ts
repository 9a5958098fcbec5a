/**
 * Members that would be ignored although the app depends on them. Unknown keys are kept with a warning, because they may be the
 * publisher's own. These are not: they were written for the platform, in another place or an earlier form, and without them customers
 * would configure and call an app that does nothing. So each is an error that says what to write instead.
 */
import { type Issue, pointerTo } from "@/lib/contract/platform/problem";
import { getMember, isRecord, type Path, valueAt } from "../../platform/json-text/json-value";
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
    ...renamedCore(value),
    ...listsElsewhere(value, []),
    ...listsElsewhere(value.app, ["app"]),
    ...mappedSettings(value),
  ];
}

/** Lists that are right beside the section that they belong to. */
function listsElsewhere(container: unknown, path: Path): Issue[] {
  if (!isRecord(container)) return [];
  const lists = path.length === 0 ? new Map([...LISTS, ["fields", "app.fields"]]) : LISTS;
  return [...lists]
    .filter(([key]) => isList(getMember(container, key)))
    .map(([key, place]) => misplaced([...path, key], "is in the wrong place", `Move it to "${place}".`));
}

/** A section with the content of `core` under another name, such as a product's. */
function renamedCore(value: Record<string, unknown>): Issue[] {
  if (Object.hasOwn(value, "core")) return [];
  return Object.keys(value)
    .filter((key) => !["app", "config"].includes(key) && !key.startsWith("x-"))
    .filter((key) => {
      const section = value[key];
      return [...LISTS.keys()].some((list) => isList(getMember(section, list))) || hasMappingFields(section);
    })
    .map((key) =>
      misplaced([key], 'looks like the section "core", which is missing', 'Rename it to "core".'),
    );
}

function hasMappingFields(section: unknown): boolean {
  const fields = getMember(section, "fields");
  return isList(fields) && fields.every((field) => isRecord(field) && "name" in field && "title" in field);
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
