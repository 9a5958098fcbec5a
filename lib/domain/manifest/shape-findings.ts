import type { z } from "zod";
import { valueAt, type Finding, type Path } from "./finding";

const CODE_OF: Record<string, string> = {
  invalid_type: "WRONG_TYPE",
  invalid_value: "WRONG_VALUE",
  too_big: "TOO_LONG",
  too_small: "TOO_SHORT",
  invalid_format: "BAD_FORMAT",
  custom: "RESERVED",
};

const NOUN_OF: Record<string, string> = {
  array: "a list",
  object: "an object",
  string: "a string",
  boolean: "true or false",
};

/** What zod refuses, in the words of the manifest. */
export function shapeFindings(error: z.ZodError, value: unknown): Finding[] {
  return error.issues.map((issue) => {
    const path = issue.path.filter((part) => typeof part !== "symbol");
    if (path.length > 0 && valueAt(value, path) === undefined) return missing(path);
    const code = CODE_OF[issue.code] ?? "WRONG_SHAPE";
    if (issue.code === "invalid_type") return wrongType(path, issue.expected, valueAt(value, path));
    return { code, path, message: issue.message, hint: hintFor(issue, path) };
  });
}

/** How to mend what the message says. */
function hintFor(issue: z.core.$ZodIssue, path: Path): string {
  switch (issue.code) {
    case "too_big":
      return issue.origin === "array" ? `Keep ${issue.maximum} of them.` : "Shorten it.";
    case "too_small":
      return issue.origin === "array" ? "Add one." : "Write at least one character that shows.";
    case "invalid_value":
      return `Write one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}.`;
    default:
      return `Write it as in ${exampleOf(path)}.`;
  }
}

function exampleOf(path: Path): string {
  if (path.at(-1) === "name") return '"apiKey"';
  if (path.at(-1) === "path") return '"/autofill"';
  return path.includes("operations") ? '"newBusiness.*"' : '"policy.issued"';
}

export function wrongType(path: Path, expected: string, value: unknown): Finding {
  const noun = NOUN_OF[expected] ?? expected;
  const message = `${subject(path)} must be ${noun}, not ${describe(value)}.`;
  return { code: "WRONG_TYPE", path, message, hint: `Write ${noun}.` };
}

function missing(path: Path): Finding {
  return { code: "MISSING", path, message: `"${String(path.at(-1))}" is missing.`, hint: "Add it." };
}

function subject(path: Path): string {
  const last = path.at(-1);
  if (last === undefined) return "The manifest";
  return typeof last === "number" ? `Entry ${last + 1}` : `"${last}"`;
}

function describe(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : (NOUN_OF[typeof value] ?? `a ${typeof value}`);
}
