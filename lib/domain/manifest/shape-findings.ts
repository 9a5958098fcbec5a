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
    if (issue.code !== "invalid_type") return { code, path, message: issue.message };
    const noun = NOUN_OF[issue.expected] ?? issue.expected;
    return {
      code,
      path,
      message: `${subject(path)} must be ${noun}, not ${describe(valueAt(value, path))}.`,
    };
  });
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
