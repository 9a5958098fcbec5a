/** Where a value differs from the manifest's shape: missing, wrong or unknown members. */
import * as z from "zod";
import type { Manifest, Setting } from "@/lib/contract/catalog/manifest";
import type { ManifestCode } from "@/lib/contract/platform/issue-codes";
import { MANIFEST_LIMITS } from "@/lib/contract/platform/manifest-terms";
import { type Issue, pointerTo } from "@/lib/contract/platform/problem";
import { getMember, isRecord, type Path, valueAt } from "../../platform/json-text/json-value";
import { findSimilar } from "../../platform/text";
import { wrongType } from "./parse-source";

const CODES: Record<string, ManifestCode> = {
  invalid_type: "WRONG_TYPE",
  invalid_value: "WRONG_VALUE",
  too_big: "TOO_LONG",
  too_small: "TOO_SHORT",
  invalid_format: "BAD_FORMAT",
  custom: "RESERVED",
};

/** `value` is what the shape refused with `error`. */
export function shapeIssues(error: z.ZodError, value: unknown): Issue[] {
  return error.issues.map((issue): Issue => {
    const path = issue.path.filter((part) => typeof part !== "symbol");
    const found = valueAt(value, path);
    const pointer = pointerTo(...path);
    if (path.length > 0 && found === undefined)
      return { code: "MISSING", pointer, message: `"${String(path.at(-1))}" is missing.`, hint: "Add it." };
    if (issue.code === "invalid_type") return wrongType(path, issue.expected, found);
    const code = CODES[issue.code] ?? "WRONG_SHAPE";
    return { code, pointer, message: issue.message, hint: hintFor(issue, path, found) };
  });
}

function hintFor(issue: z.core.$ZodIssue, path: Path, found: unknown): string {
  switch (issue.code) {
    case "too_big":
      if (isOfNumber(issue.origin)) return `Use ${issue.maximum} or less.`;
      return issue.origin === "array" ? "Remove some." : "Shorten it.";
    case "too_small":
      if (isOfNumber(issue.origin)) return `Use ${issue.minimum} or more.`;
      return issue.origin === "array" ? "Add at least one." : "Enter at least one visible character.";
    case "invalid_value": {
      const values = issue.values.filter((value) => typeof value === "string");
      const all = `Use one of ${values.map((value) => JSON.stringify(value)).join(", ")}.`;
      const meant = typeof found === "string" ? findSimilar(found, values) : undefined;
      return meant === undefined ? all : `Did you mean "${meant}"? ${all}`;
    }
    default:
      return `Use a value such as ${exampleFor(path)}.`;
  }
}

const isOfNumber = (origin: string) => origin === "number" || origin === "int";

function exampleFor(path: Path): string {
  if (path.at(-1) === "name") return path.includes("permissions") ? '"policies:read"' : '"apiKey"';
  if (path.at(-1) === "path") return path.includes("endpoints") ? '"/callbacks/*"' : '"/autofill"';
  return path.includes("operations") ? '"newBusiness.*"' : '"policy.issued"';
}

/** Keys that the shape does not declare, at every level it describes. They are kept, so these are warnings. */
export function unknownKeys(shape: z.core.$ZodType, value: unknown): Issue[] {
  const issues: Issue[] = [];
  walk(shape, value, [], issues);
  return issues;
}

/** `path` is shared by the whole walk; it becomes a pointer only where an issue is found. */
function walk(shape: z.core.$ZodType, value: unknown, path: (string | number)[], issues: Issue[]): void {
  if (shape instanceof z.ZodOptional) {
    walk(shape.unwrap(), value, path, issues);
    return;
  }
  if (shape instanceof z.ZodArray && shape.element instanceof z.ZodObject && Array.isArray(value)) {
    const members: Record<string, z.core.$ZodType> = shape.element.shape;
    value.forEach((item: unknown, index) => {
      path.push(index);
      walkMembers(members, item, path, issues);
      path.pop();
    });
    return;
  }
  if (shape instanceof z.ZodObject) walkMembers(shape.shape, value, path, issues);
}

function walkMembers(
  members: Record<string, z.core.$ZodType>,
  value: unknown,
  path: (string | number)[],
  issues: Issue[],
): void {
  if (!isRecord(value)) return;
  for (const key of Object.keys(value)) {
    const known = Object.hasOwn(members, key) ? members[key] : undefined;
    if (known !== undefined) {
      if (typeof value[key] !== "object") continue;
      path.push(key);
      walk(known, value[key], path, issues);
      path.pop();
    } else if (key !== "__proto__") {
      const message = `The platform doesn't recognize the key "${key}".`;
      const hint = unknownKeyHint(key, Object.keys(members), value);
      issues.push({
        code: "UNKNOWN_KEY",
        pointer: pointerTo(...path, key),
        message,
        hint,
        severity: "warning",
      });
    }
  }
}

/** Keys that have no effect, in the entries that also know another key, with what has one. */
const INSTEAD: readonly [key: string, beside: string, hint: string][] = [
  [
    "type",
    "format",
    'Mapping fields have no type. With "format": "text", customers enter any text; without a format, a JSONPath.',
  ],
  [
    "changeLogFile",
    "version",
    "It has no effect. Pass release notes to platform-app publish with --notes @<file>.",
  ],
  [
    "releaseNotesFile",
    "version",
    "It has no effect. Pass release notes to platform-app publish with --notes @<file>.",
  ],
  [
    "targetPlatform",
    "version",
    "It has no effect. An app works with every core that sends what it declares.",
  ],
];

/** Names the known key that was probably meant, unless it is there too. */
export function unknownKeyHint(
  key: string,
  known: readonly string[],
  record: Readonly<Record<string, unknown>>,
): string {
  const instead = INSTEAD.find(([name, beside]) => name === key && known.includes(beside));
  if (instead !== undefined) return instead[2];
  const meant = findSimilar(
    key,
    known.filter((each) => !Object.hasOwn(record, each)),
  );
  return meant === undefined
    ? `It is kept but has no effect. Known keys here: ${known.join(", ")}.`
    : `Did you mean "${meant}"? Otherwise, the key is kept but has no effect.`;
}

// Keeps the check of large and hostile manifests fast, without changing what it finds.

type Cut = (value: unknown) => unknown;

/**
 * Cuts each list to one entry over the shape's limit: enough to be refused. Without this, describing a hostile 1 MiB of
 * broken settings took 3 s. Unknown keys stay whole; values that need no cut are not copied.
 */
export function listCutter(shape: z.core.$ZodType): Cut {
  return findCutter(shape) ?? ((value) => value);
}

/** Undefined for a shape without limited lists. */
function findCutter(shape: z.core.$ZodType): Cut | undefined {
  if (shape instanceof z.ZodOptional) return findCutter(shape.unwrap());
  if (shape instanceof z.ZodArray) {
    const { maximum } = shape._zod.bag;
    return cutArray(typeof maximum === "number" ? maximum + 1 : Infinity, findCutter(shape.element));
  }
  if (!(shape instanceof z.ZodObject)) return undefined;
  const members = Object.entries<z.core.$ZodType>(shape.shape).flatMap(([key, member]) => {
    const cut = findCutter(member);
    return cut === undefined ? [] : [{ key, cut }];
  });
  return members.length === 0 ? undefined : cutMembers(members);
}

function cutArray(most: number, cut: Cut | undefined): Cut {
  return (value) => {
    if (!Array.isArray(value)) return value;
    const kept: unknown[] = value.length > most ? value.slice(0, most) : value;
    if (cut === undefined) return kept;
    const items = kept.map(cut);
    return items.every((item, index) => item === kept[index]) ? kept : items;
  };
}

function cutMembers(members: readonly { key: string; cut: Cut }[]): Cut {
  return (value) => {
    if (!isRecord(value)) return value;
    return members.reduce((whole, { key, cut }) => {
      if (!Object.hasOwn(whole, key)) return whole;
      const kept = cut(whole[key]);
      return kept === whole[key] ? whole : { ...whole, [key]: kept };
    }, value);
  };
}

type Values = NonNullable<Setting["values"]>;

const PLACEHOLDER: Values = [{ text: "-", value: "-" }];

/**
 * Replaces valid lists of values by a placeholder, since the shape's parse takes ten times as long as this check, and
 * 20,000 values are most of a manifest at its limit. Invalid lists stay, so that the shape describes them.
 */
export function setAsideValues(value: unknown): { lean: unknown; putBack: (manifest: Manifest) => void } {
  const fields = valueAt(value, ["app", "fields"]);
  const aside = new Map<number, Values>();
  if (!isRecord(value) || !Array.isArray(fields)) return { lean: value, putBack: () => undefined };
  const lean = fields.map((setting: unknown, index): unknown => {
    const values = getMember(setting, "values");
    if (!isRecord(setting) || !areValid(values)) return setting;
    aside.set(index, values);
    return { ...setting, values: PLACEHOLDER };
  });
  return {
    lean: { ...value, app: { ...(isRecord(value.app) ? value.app : {}), fields: lean } },
    putBack: (manifest) => {
      for (const [index, values] of aside) {
        const setting = manifest.app?.fields?.[index];
        if (setting !== undefined) setting.values = values;
      }
    },
  };
}

/** Must agree with `settingValue` in lib/contract/catalog/manifest.ts; the differential test compares them. */
function areValid(values: unknown): values is Values {
  if (!Array.isArray(values) || values.length === 0 || values.length > MANIFEST_LIMITS.values) return false;
  return values.every((item: unknown) => {
    if (!isRecord(item)) return false;
    const { text, value } = item;
    if (typeof text !== "string" || typeof value !== "string" || text.length === 0) return false;
    return text.length <= MANIFEST_LIMITS.text && value.length <= MANIFEST_LIMITS.text;
  });
}
