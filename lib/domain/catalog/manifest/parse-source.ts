/** From source text to a value: finds everything that is wrong with the text as JSON. */
import { type ParseError, printParseErrorCode, visit } from "jsonc-parser";
import type { ManifestCode } from "@/lib/contract/platform/issue-codes";
import { MANIFEST_LIMITS } from "@/lib/contract/platform/manifest-terms";
import { type Issue, pointerTo } from "@/lib/contract/platform/problem";
import {
  type FoundIssue,
  readContainer,
  scanSource,
  skipSpace,
  tooDeepAt,
} from "../../platform/json-text/json-source";
import type { Path } from "../../platform/json-text/json-value";

type Source =
  { isJson: true; issues: FoundIssue[]; value: unknown } | { isJson: false; issues: FoundIssue[] };

export function parseSource(text: string): Source {
  if (isTooLarge(text))
    return refuse(
      "TOO_LARGE",
      0,
      "The manifest is larger than 1 MiB.",
      "Remove embedded documents and images.",
    );
  if (text.startsWith("\uFEFF"))
    return refuse(
      "BYTE_ORDER_MARK",
      0,
      "The manifest starts with a byte order mark.",
      "Save the file as UTF-8 without BOM.",
    );
  const { depth, colons } = scanSource(text);
  if (depth > MANIFEST_LIMITS.depth) return explain(text);
  try {
    const value: unknown = JSON.parse(text);
    return { isJson: true, issues: isPlain(text, value, colons) ? [] : inspectSource(text), value };
  } catch {
    return explain(text);
  }
}

export function isTooLarge(text: string): boolean {
  const { bytes } = MANIFEST_LIMITS;
  // A UTF-16 unit is at most 3 bytes of UTF-8.
  if (text.length * 3 <= bytes) return false;
  if (text.length > bytes) return true;
  buffer ??= new Uint8Array(bytes);
  return new TextEncoder().encodeInto(text, buffer).read < text.length;
}

/** Reused: the size is checked at every keystroke, and allocating 1 MiB costs more than the check. */
let buffer: Uint8Array<ArrayBuffer> | undefined;

/** True if the text has no duplicate keys, no `__proto__`, and no characters that the database cannot store. */
function isPlain(text: string, value: unknown, colons: number): boolean {
  if (text.includes("__proto__") || text.includes("\\u") || /\p{Surrogate}/u.test(text)) return false;
  return countMembers(value) === colons;
}

function countMembers(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countMembers(item);
    return count;
  }
  const members = value as Record<string, unknown>; // JSON.parse creates own keys only
  for (const key in members) count += 1 + countMembers(members[key]);
  return count;
}

/** Why a text is not valid JSON, or too deep to be parsed. */
function explain(text: string): Source {
  const deep = tooDeepAt(text, MANIFEST_LIMITS.depth);
  if (deep !== undefined) {
    const message = `The manifest is nested more than ${MANIFEST_LIMITS.depth} levels deep.`;
    return refuse("TOO_DEEP", deep, message, "Use fewer levels here.");
  }
  const issues = syntaxIssues(text);
  if (issues.length > 0) return { isJson: false, issues };
  const hint = "Remove characters that JSON does not allow, such as non-breaking spaces.";
  return refuse("BROKEN_JSON", 0, "The manifest is not valid JSON.", hint);
}

function refuse(code: ManifestCode, offset: number, message: string, hint: string): Source {
  return { isJson: false, issues: [{ code, pointer: "", offset, message, hint }] };
}

/** What the parsed value no longer shows: duplicate keys, and keys and characters that cannot be stored. */
function inspectSource(text: string): FoundIssue[] {
  const issues: FoundIssue[] = [];
  inspect(text, skipSpace(text, 0), undefined, [], issues);
  return issues;
}

function inspect(
  text: string,
  start: number,
  end: number | undefined,
  path: Path,
  issues: FoundIssue[],
): void {
  if (text[start] === '"') {
    inspectString(JSON.parse(text.slice(start, end)), path, start, issues);
    return;
  }
  const seen = new Set<string>();
  readContainer(text, start)?.children.forEach((child, index) => {
    const { key, from: offset } = child;
    const at = [...path, key ?? index];
    if (key !== undefined) {
      const pointer = pointerTo(...at);
      if (seen.has(key)) {
        const message = `The key "${key}" appears twice.`;
        issues.push({ code: "DUPLICATE_KEY", pointer, offset, message, hint: "Remove one of them." });
      }
      if (key === "__proto__") {
        const message = '"__proto__" is a reserved key.';
        issues.push({ code: "RESERVED_KEY", pointer, offset, message, hint: "Rename it." });
      }
      seen.add(key);
      inspectString(key, at, offset, issues);
    }
    inspect(text, child.start, child.end, at, issues);
  });
}

function inspectString(value: unknown, path: Path, offset: number, issues: FoundIssue[]): void {
  if (typeof value !== "string" || !/\0|\p{Surrogate}/u.test(value)) return;
  const message = "This string contains a NUL character or a broken character (half of a surrogate pair).";
  issues.push({ code: "BAD_CHARACTER", pointer: pointerTo(...path), offset, message, hint: "Remove it." });
}

interface SyntaxMessage {
  message: string;
  hint: string;
}

const COMMENT = { message: "JSON does not allow comments.", hint: "Remove the comment." };
const NUMBER = { message: "This is not a valid JSON number.", hint: "Write it like 1, -2.5 or 1e3." };
const EXTRA_COMMA = { message: "There is an extra comma.", hint: "Remove the comma." };
const NOT_JSON = { message: "This is not valid JSON.", hint: "Start with '{' and end with '}'." };

/** By jsonc-parser's error code. */
const MESSAGES: Record<string, SyntaxMessage> = {
  InvalidSymbol: { message: "This is not a valid JSON value.", hint: "Put text in double quotes." },
  InvalidNumberFormat: NUMBER,
  UnexpectedEndOfNumber: NUMBER,
  PropertyNameExpected: {
    message: "A key is expected here.",
    hint: "Write the key in double quotes, or remove the comma before it.",
  },
  ValueExpected: {
    message: "A value is expected here.",
    hint: "Add a value, or remove the comma or key before it.",
  },
  ColonExpected: { message: "A ':' is missing here.", hint: "Write ':' between the key and its value." },
  CommaExpected: { message: "A ',' is missing here.", hint: "Separate members and items with ','." },
  CloseBraceExpected: { message: "A '}' is missing.", hint: "Close the object." },
  CloseBracketExpected: { message: "A ']' is missing.", hint: "Close the list." },
  EndOfFileExpected: {
    message: "The JSON ends before this text.",
    hint: "Remove the text, or an extra closing bracket before it.",
  },
  InvalidCommentToken: COMMENT,
  UnexpectedEndOfComment: COMMENT,
  UnexpectedEndOfString: {
    message: "This string has no closing quote.",
    hint: 'Add " at its end, on the same line.',
  },
  InvalidUnicode: { message: "This is not a valid escape.", hint: "Write \\u and four hex digits." },
  InvalidEscapeCharacter: { message: "This is not a valid escape.", hint: "Write \\\\ for a backslash." },
  InvalidCharacter: {
    message: "This string contains a control character.",
    hint: "Remove it, or write it as an escape such as \\n.",
  },
};

/** After the first few, one mistake only repeats itself. */
const MOST_ISSUES = 10;

/** Why a text is not valid JSON. Check its depth first: the parser recurses. */
export function syntaxIssues(text: string): FoundIssue[] {
  const errors: ParseError[] = [];
  // One mistake can make the parser stumble several times before it reads a key or value again.
  let isStumbling = false;
  const onError = (error: number, offset: number, length: number) => {
    if (!isStumbling && errors.length < MOST_ISSUES) errors.push({ error, offset, length });
    isStumbling = true;
  };
  const goOn = () => {
    isStumbling = false;
  };
  visit(
    text,
    { onError, onObjectProperty: goOn, onLiteralValue: goOn, onObjectBegin: goOn, onArrayBegin: goOn },
    { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false },
  );
  return errors.map(({ error, offset }) => ({
    code: "BROKEN_JSON",
    pointer: "",
    ...explainSyntax(text, error, offset),
  }));
}

function explainSyntax(text: string, error: number, offset: number): SyntaxMessage & { offset: number } {
  const cause = printParseErrorCode(error);
  const isMissing = cause === "PropertyNameExpected" || cause === "ValueExpected";
  const comma = isMissing ? findExtraComma(text, offset) : undefined;
  if (comma !== undefined) return { ...EXTRA_COMMA, offset: comma };
  return { ...(MESSAGES[cause] ?? NOT_JSON), offset };
}

/** The comma that should not be there: `[1,]`, `[1,,2]`, `[,1]`. */
function findExtraComma(text: string, offset: number): number | undefined {
  let before = offset - 1;
  while (/\s/.test(text[before] ?? "")) before -= 1;
  const [previous, next] = [text[before] ?? "", text[offset] ?? ""];
  if (next === "," && "[{,".includes(previous)) return offset;
  return previous === "," && "]}".includes(next) ? before : undefined;
}

const TYPE_NOUNS: Record<string, string> = {
  array: "a list",
  object: "an object",
  string: "a string",
  boolean: "true or false",
};

/** Here, because the editor outlines manifests without their shape, which brings zod. */
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
