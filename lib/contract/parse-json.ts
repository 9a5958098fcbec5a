import type { z } from "zod";
import { pointerTo } from "./pointer";
import { Problem } from "./problem";

/** How deep objects and lists may be nested in a request, because schemas check them recursively. */
export const JSON_DEPTH = 64;

/** Undefined if the text is not valid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses and checks a request body. Throws `BAD_INPUT` with every issue. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  const value = parseJson(text);
  if (value === undefined) throw new Problem("BAD_INPUT", "The request body is not valid JSON.");
  if (!isShallow(value)) {
    const detail = `The request body is nested more than ${JSON_DEPTH} levels deep. Send flatter JSON.`;
    throw new Problem("BAD_INPUT", detail);
  }
  return checkInput(schema, value);
}

/** Checks a value that is not JSON text. Throws `BAD_INPUT` with every issue. */
export function checkInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: describeIssue });
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ code, path, message }) => ({
    code,
    pointer: pointerTo(...path),
    message,
  }));
  throw new Problem("BAD_INPUT", "Some fields are not valid. Fix them and try again.", issues);
}

/** Level by level, so that no depth overflows the stack. */
export function isShallow(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > JSON_DEPTH) return false;
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
  }
  return true;
}

const TYPE_NOUNS: Record<string, string> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "text",
};

const FORMAT_NOUNS: Record<string, string> = {
  datetime: "an ISO 8601 time, such as 2026-01-31T12:00:00Z",
  email: "an email address",
  url: "a URL",
  uuid: "a UUID",
};

/** Messages for what a shape does not describe itself, so that zod's own text never reaches users. */
export function describeIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return "This field is required.";
      return `This must be ${TYPE_NOUNS[issue.expected] ?? issue.expected}.`;
    case "unrecognized_keys":
      return `Remove the unknown fields: ${issue.keys.map((key) => key.slice(0, 80)).join(", ")}.`;
    case "invalid_value":
      return `Use one of these values: ${issue.values.map(String).join(", ")}.`;
    case "too_big":
      return `The maximum is ${issue.maximum}.`;
    case "too_small":
      return `This must be ${issue.inclusive === false ? "more than" : "at least"} ${issue.minimum}.`;
    case "invalid_format":
      return `This must be ${FORMAT_NOUNS[issue.format] ?? "in the expected format"}.`;
    default:
      return "This value is not allowed.";
  }
}
