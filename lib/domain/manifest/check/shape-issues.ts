/** Where a value differs from the manifest's shape: missing, wrong or unknown members. */
import * as z from "zod";
import type { ManifestCode } from "@/lib/contract/issue-codes";
import { pointerTo } from "@/lib/contract/pointer";
import type { Issue } from "@/lib/contract/problem";
import { isRecord, valueAt, type Path } from "../../json-text/json-value";
import { findSimilar } from "./find-similar";

const CODES: Record<string, ManifestCode> = {
  invalid_type: "WRONG_TYPE",
  invalid_value: "WRONG_VALUE",
  too_big: "TOO_LONG",
  too_small: "TOO_SHORT",
  invalid_format: "BAD_FORMAT",
  custom: "RESERVED",
};

const TYPE_NOUNS: Record<string, string> = {
  array: "a list",
  object: "an object",
  string: "a string",
  boolean: "true or false",
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
      return issue.origin === "array" ? "Remove some." : "Shorten it.";
    case "too_small":
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

function exampleFor(path: Path): string {
  if (path.at(-1) === "name") return '"apiKey"';
  if (path.at(-1) === "path") return path.includes("endpoints") ? '"/callbacks/*"' : '"/autofill"';
  return path.includes("operations") ? '"newBusiness.*"' : '"policy.issued"';
}

export function wrongType(path: Path, expected: string, value: unknown): Issue {
  const last = path.at(-1);
  const subject =
    last === undefined ? "The manifest" : typeof last === "number" ? `Entry ${last + 1}` : `"${last}"`;
  return {
    code: "WRONG_TYPE",
    pointer: pointerTo(...path),
    message: `${subject} is ${describeType(value)}.`,
    hint: `Change it to ${TYPE_NOUNS[expected] ?? expected}.`,
  };
}

function describeType(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : (TYPE_NOUNS[typeof value] ?? `a ${typeof value}`);
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

/** Names the known key that was probably meant, unless it is there too. */
export function unknownKeyHint(
  key: string,
  known: readonly string[],
  record: Readonly<Record<string, unknown>>,
): string {
  const meant = findSimilar(
    key,
    known.filter((each) => !Object.hasOwn(record, each)),
  );
  return meant === undefined
    ? `It is kept but has no effect. Known keys here: ${known.join(", ")}.`
    : `Did you mean "${meant}"? Otherwise, the key is kept but has no effect.`;
}
