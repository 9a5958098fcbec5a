/** The only manifest validator: the editor, the command line, the publish API and the server all use it. */
import { type Manifest, manifest as manifestShape } from "@/lib/contract/catalog/manifest";
import { isError, type Issue, pointerTo } from "@/lib/contract/platform/problem";
import { splitAppName } from "@/lib/contract/platform/text-shapes";
import { locateIssues } from "../../platform/json-text/json-source";
import { getMember, isRecord, valueAt } from "../../platform/json-text/json-value";
import { listCutter, setAsideValues, shapeIssues, unknownKeys } from "./check-shape";
import { coversPath } from "./endpoint";
import { duplicates, listItems, listMembers, type LocatedRecord, recordsAt } from "./list-entries";
import { checkRights } from "./check-rights";
import type { Outline } from "./entry";
import { misplacedKeys } from "./misplaced-keys";
import { outlineManifest } from "./outline-manifest";
import { parseSource } from "./parse-source";
import { parseVersion } from "./version";

/** More than anyone fixes in one go; limits the answer to a hostile 1 MiB manifest. */
const MOST_ISSUES = 300;

const cutLongLists = listCutter(manifestShape);

export interface CheckedManifest {
  /** Set if no issue is an error. Contains unknown keys too. */
  manifest?: Manifest;
  /** In the order of the text. Lines and columns start at 1; columns count UTF-16 units. */
  issues: Issue[];
}

/**
 * Finds all issues, not only the first.
 * @param permissions the platform's catalog, whose names need no warning; a command line that is offline has the built-in one
 */
export function checkManifest(text: string, permissions?: readonly string[]): CheckedManifest {
  const source = parseSource(text);
  if (!source.isJson) return { issues: locateIssues(text, source.issues) };
  const value = cutLongLists(source.value);
  const { lean, putBack } = setAsideValues(value);
  const parsed = manifestShape.safeParse(lean);
  const found = withoutConsequences([
    ...source.issues,
    ...(parsed.success ? [] : shapeIssues(parsed.error, value)),
    ...checkIdentity(value),
    ...checkSettings(value),
    ...checkCore(value),
    ...checkRights(value, permissions),
    ...misplacedKeys(value),
    ...(mayChangeDirection(text) ? checkDirectionMarks(value) : []),
    ...unknownKeys(manifestShape, value),
  ]);
  const errors = found.filter(isError);
  const others = withoutRepeats(found.filter((issue) => !isError(issue)));
  const issues = locateIssues(text, cutIssues([...errors, ...others]));
  if (!parsed.success || errors.length > 0) return { issues };
  putBack(parsed.data);
  return { manifest: parsed.data, issues };
}

/** The first of very many. The last of them says how many are left out. */
export function cutIssues(issues: readonly Issue[]): Issue[] {
  const shown = issues.slice(0, MOST_ISSUES);
  const more = issues.length - shown.length;
  const last = shown.at(-1);
  if (more === 0 || last === undefined) return shown;
  const left = `${more === 1 ? "1 more problem is" : `${more.toLocaleString("en-US")} more problems are`} not listed. Fix these first.`;
  const hint = last.hint === undefined ? left : `${last.hint} ${left}`;
  return [...shown.slice(0, -1), { ...last, hint }];
}

/** Checks a draft: as a manifest, and that its name is the listing's. */
export function checkDraft(
  { text, name, blocked }: Outline,
  listingName: string,
  permissions?: readonly string[],
): readonly Issue[] {
  const { issues } = checkManifest(text, permissions);
  const hasNameIssue = issues.some(({ pointer }) => pointer === "/name");
  if (blocked.length > 0 || typeof name !== "string" || name === listingName || hasNameIssue) return issues;
  const message = `The name doesn't match this listing, "${listingName}".`;
  const hint = `Change it to "${listingName}".`;
  return [...locateIssues(text, [{ code: "WRONG_NAME", pointer: "/name", message, hint }]), ...issues];
}

/**
 * A draft and its issues, for the editor to start with. As JSON, because server components send long strings as UTF-8, which
 * replaces lone surrogates; JSON escapes them.
 */
export function checkedDraftJson(
  draft: { text: string },
  listingName: string,
  permissions?: readonly string[],
): string {
  return JSON.stringify({ draft, issues: checkDraft(outlineManifest(draft.text), listingName, permissions) });
}

/** What must be removed or moved needs no other fix, such as "Add at least one". */
export function withoutConsequences<Found extends Issue>(issues: readonly Found[]): readonly Found[] {
  const moved = issues.filter(({ code }) => code === "VALUES_NOT_ALLOWED" || code === "MISPLACED_KEY");
  if (moved.length === 0) return issues;
  const pointers = new Set(moved.map(({ pointer }) => pointer));
  const list = /^\/app\/fields\/\d+\/values/;
  return issues.filter(
    (issue) =>
      moved.includes(issue) ||
      !(pointers.has(issue.pointer) || pointers.has(list.exec(issue.pointer)?.[0] ?? "")),
  );
}

/** Warnings that say the same about entries of the same list are one, at the first entry. */
export function withoutRepeats<Found extends Issue>(warnings: readonly Found[]): Found[] {
  const groups = new Map<string, Found[]>();
  for (const warning of warnings) {
    const { code, pointer, message, hint = "" } = warning;
    const key = JSON.stringify([code, pointer.replaceAll(/\/\d+(?=\/|$)/g, "/*"), message, hint]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [warning]);
    else group.push(warning);
  }
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined || others.length === 0) return first === undefined ? [] : [first];
    const places = others.length === 1 ? "1 more entry" : `${others.length} more entries`;
    return [{ ...first, message: `${first.message} The same in ${places}.` }];
  });
}

// Rules that span several members of a manifest, which its shape cannot express.

const SECRET_NAME = /secret|passw(or)?d|passphrase|token|credential|(api|private|access|secret)[_.-]?key/i;

/** Marks that change the reading direction, so that a text can look different from what it is. */
const BIDI_CONTROL = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/;

export function checkIdentity(value: unknown): Issue[] {
  const issues: Issue[] = [];
  const name = getMember(value, "name");
  if (typeof name === "string" && splitAppName(name) === undefined) {
    const hint =
      'Write "<org-name>/<app-name>", such as "acme/vin-lookup". Each part has 2 to 40 lowercase letters, digits, and single hyphens.';
    issues.push({ code: "BAD_NAME", pointer: "/name", message: "This is not a valid app name.", hint });
  }
  const version = getMember(value, "version");
  if (typeof version === "string" && parseVersion(version) === undefined) {
    const hint = 'Use three numbers without leading zeros, each of up to 15 digits, such as "1.0.0".';
    issues.push({ code: "BAD_VERSION", pointer: "/version", message: "This is not a valid version.", hint });
  }
  return issues;
}

export function checkSettings(value: unknown): Issue[] {
  const settings = recordsAt(value, ["app", "fields"]);
  return [
    ...noSettings(value),
    ...duplicates(listMembers(settings, "name"), "DUPLICATE_NAME", "setting named"),
    ...settings.flatMap((setting) => [...checkValues(setting), ...checkSecretName(setting)]),
  ];
}

/** Apps that only react to events have none. Reported, because the list may be in the wrong place. */
function noSettings(value: unknown): Issue[] {
  const app = getMember(value, "app");
  const isLeftOut = app === undefined ? isRecord(value) : isRecord(app) && !Object.hasOwn(app, "fields");
  if (!isLeftOut) return [];
  const message = 'The app has no settings, because there is no "app.fields".';
  const hint = "Customers enter nothing at launch. If that is what you want, ignore this warning.";
  return [{ code: "NO_SETTINGS", pointer: "/app/fields", message, hint, severity: "hint" }];
}

function checkValues({ path, value: setting }: LocatedRecord): Issue[] {
  const pointer = pointerTo(...path, "values");
  const present = Object.hasOwn(setting, "values");
  if (setting.type === "Select" && !present) {
    const hint = 'Add "values": [{ "text": "Shown", "value": "stored" }].';
    return [{ code: "VALUES_MISSING", pointer, message: "A Select needs values.", hint }];
  }
  if (present && (setting.type === "Text" || setting.type === "Password")) {
    const message = `Only a Select has values, not a ${setting.type}.`;
    const hint = 'Remove "values", or change the type to "Select".';
    return [{ code: "VALUES_NOT_ALLOWED", pointer, message, hint }];
  }
  if (!hasDuplicateValues(setting.values)) return [];
  const values = recordsAt(setting.values, [], [...path, "values"]);
  return duplicates(listMembers(values, "value"), "DUPLICATE_VALUE", "choice with the value");
}

/** Checked first, because it is far cheaper than a path for each value. One pass, because there may be 20,000 values. */
function hasDuplicateValues(values: unknown): boolean {
  if (!Array.isArray(values)) return false;
  const seen = new Set<string>();
  return values.some((item: unknown) => {
    const value = isRecord(item) ? item.value : undefined;
    if (typeof value !== "string") return false;
    if (seen.has(value)) return true;
    seen.add(value);
    return false;
  });
}

function checkSecretName({ path, value: { name, type, sensitive } }: LocatedRecord): Issue[] {
  if (type !== "Text" || sensitive === true || typeof name !== "string" || !SECRET_NAME.test(name)) return [];
  const message = `"${name}" looks like a secret, but everyone who configures the app can read it.`;
  const hint = 'Change the type to "Password", or add "sensitive": true.';
  return [{ code: "LOOKS_SECRET", pointer: pointerTo(...path), message, hint, severity: "warning" }];
}

export function checkCore(value: unknown): Issue[] {
  const recordsIn = (key: string) => recordsAt(value, ["core", key]);
  const raters = recordsIn("externalRaters");
  const endpoints = recordsIn("endpoints");
  const routes = [...recordsIn("webhooks"), ...recordsIn("autofill"), ...raters];
  const hooks = valueAt(value, ["core", "lifecycle"]);
  return [
    ...duplicates(listMembers(recordsIn("fields"), "name"), "DUPLICATE_NAME", "mapping field named"),
    ...duplicates(listMembers(raters, "name"), "DUPLICATE_NAME", "rater named"),
    ...duplicates(listMembers(routes, "path"), "DUPLICATE_PATH", "route with the path"),
    ...duplicates(listMembers(endpoints, "path"), "DUPLICATE_PATH", "endpoint with the path"),
    ...endpoints.flatMap(({ path, value: { methods } }) =>
      duplicates(listItems(methods, [...path, "methods"]), "DUPLICATE_METHOD", "method"),
    ),
    ...checkCollisions(endpoints, routes),
    ...duplicates(listItems(hooks, ["core", "lifecycle"]), "DUPLICATE_EVENT", "lifecycle hook for"),
    ...checkWithoutSettings(value),
  ];
}

/** Customers are offered the check beside the settings. */
function checkWithoutSettings(value: unknown): Issue[] {
  const pointer = "/core/configurationCheck";
  const settings = valueAt(value, ["app", "fields"]);
  const hasSettings = Array.isArray(settings) && settings.length > 0;
  if (hasSettings || valueAt(value, ["core", "configurationCheck"]) !== true) return [];
  const message = "The app has no settings to check.";
  const hint = 'Add settings, or remove "configurationCheck".';
  return [{ code: "NOTHING_TO_CHECK", pointer, message, hint, severity: "warning" }];
}

/** An endpoint that covers a route's path would let others send what only the core may send. */
function checkCollisions(endpoints: readonly LocatedRecord[], routes: readonly LocatedRecord[]): Issue[] {
  return endpoints.flatMap(({ path, value: endpoint }): Issue[] => {
    const covered = routes.find(
      ({ value: route }) =>
        typeof endpoint.path === "string" &&
        typeof route.path === "string" &&
        coversPath(endpoint.path, route.path),
    );
    if (covered === undefined) return [];
    const message = `This covers "${String(covered.value.path).slice(0, 80)}", which belongs to another route.`;
    const hint = "Use another path, because only the platform calls that route.";
    return [{ code: "PATH_COLLISION", pointer: pointerTo(...path, "path"), message, hint }];
  });
}

/** False for most sources, at little cost: none of their texts can contain a direction mark. */
function mayChangeDirection(source: string): boolean {
  return BIDI_CONTROL.test(source) || source.includes("\\u");
}

export function checkDirectionMarks(value: unknown): Issue[] {
  const settings = recordsAt(value, ["app", "fields"]);
  const values = settings.flatMap(({ path, value: setting }) =>
    recordsAt(setting.values, [], [...path, "values"]),
  );
  const others = ["fields", "externalRaters", "endpoints", "permissions", "hosts"].flatMap((key) =>
    recordsAt(value, ["core", key]),
  );
  return [...settings, ...values, ...others].flatMap(({ path, value: record }) =>
    ["title", "hint", "text", "name", "purpose"].flatMap((key): Issue[] => {
      const text = record[key];
      if (typeof text !== "string" || !BIDI_CONTROL.test(text)) return [];
      const message = "This text contains marks that change the reading direction.";
      const hint = "Remove them unless the language needs them.";
      return [{ code: "BIDI_CONTROL", pointer: pointerTo(...path, key), message, hint, severity: "warning" }];
    }),
  );
}
