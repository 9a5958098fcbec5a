/** From source text to a value: everything that JSON alone can get wrong. */
import { parseTree, printParseErrorCode, type Node, type ParseError } from "jsonc-parser";
import { MANIFEST_LIMITS } from "@/lib/contract/manifest";
import { tooDeepAt } from "./depth";
import type { Finding, Path } from "./finding";

export type Source =
  { findings: Finding[]; tree: Node; value: unknown } | { findings: Finding[]; tree?: undefined };

const SENTENCE_OF: Record<string, string> = {
  InvalidSymbol:
    "This is no JSON: values are strings in double quotes, numbers, true, false, null, objects and lists.",
  PropertyNameExpected: "A member's name in double quotes is expected here.",
  ValueExpected: "A value is expected here.",
  ColonExpected: "A ':' is expected here.",
  CommaExpected: "A ',' is expected here.",
  CloseBraceExpected: "A '}' is missing.",
  CloseBracketExpected: "A ']' is missing.",
  EndOfFileExpected: "The manifest ends before this; what follows is too much.",
  InvalidCommentToken: "JSON has no comments; remove this one.",
  UnexpectedEndOfString: "This string has no closing quote.",
  InvalidEscapeCharacter: "This escape is not one of JSON's.",
  InvalidCharacter: "A control character is in this string; write it as an escape, such as \\n.",
};

/** At most so many: after the first few, one mistake only repeats itself. */
const SYNTAX_FINDINGS = 10;

export function parseSource(text: string): Source {
  if (isTooLarge(text)) {
    return refused(
      "TOO_LARGE",
      0,
      "The manifest is larger than 1 MiB.",
      "Keep documents and images out of the manifest.",
    );
  }
  if (text.startsWith("\uFEFF")) {
    return refused(
      "BYTE_ORDER_MARK",
      0,
      "The manifest starts with a byte order mark.",
      "Save the file as UTF-8 without BOM.",
    );
  }
  const deep = tooDeepAt(text, MANIFEST_LIMITS.depth);
  if (deep !== undefined) {
    return refused(
      "TOO_DEEP",
      deep,
      `The manifest nests deeper than ${MANIFEST_LIMITS.depth} levels.`,
      "Flatten it here.",
    );
  }
  return parseText(text);
}

function parseText(text: string): Source {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, {
    disallowComments: true,
    allowTrailingComma: false,
    allowEmptyContent: false,
  });
  if (errors.length > 0 || tree === undefined) {
    const findings = errors.slice(0, SYNTAX_FINDINGS).map(brokenJson);
    return { findings: findings.length > 0 ? findings : [brokenJson({ error: 4, offset: 0, length: 0 })] };
  }
  const findings: Finding[] = [];
  inspect(tree, [], findings);
  try {
    return { findings, tree, value: JSON.parse(text) };
  } catch {
    return refused(
      "BROKEN_JSON",
      0,
      "The manifest is no JSON.",
      "Remove what JSON does not know, such as special blanks.",
    );
  }
}

/** Keys that are there twice or that objects inherit, and characters that the database cannot hold. */
function inspect(node: Node, path: Path, findings: Finding[]): void {
  if (node.type === "string") inspectString(node, path, findings);
  if (node.type === "array")
    node.children?.forEach((child, index) => inspect(child, [...path, index], findings));
  if (node.type !== "object") return;
  const seen = new Set<string>();
  for (const property of node.children ?? []) {
    const [keyNode, valueNode] = property.children ?? [];
    const key: unknown = keyNode?.value;
    if (keyNode === undefined || typeof key !== "string") continue;
    const at = [...path, key];
    if (seen.has(key)) {
      findings.push({
        code: "DUPLICATE_KEY",
        path: at,
        offset: keyNode.offset,
        message: `"${key}" is there twice.`,
        hint: "Keep one of them.",
      });
    }
    if (key === "__proto__") {
      findings.push({
        code: "RESERVED_KEY",
        path: at,
        offset: keyNode.offset,
        message: '"__proto__" cannot be a key.',
        hint: "Rename it.",
      });
    }
    seen.add(key);
    inspectString(keyNode, at, findings);
    if (valueNode !== undefined) inspect(valueNode, at, findings);
  }
}

function inspectString(node: Node, path: Path, findings: Finding[]): void {
  const value: unknown = node.value;
  if (typeof value !== "string" || !/\0|\p{Surrogate}/u.test(value)) return;
  const message = "A NUL character or half of a surrogate pair is in this string.";
  findings.push({ code: "BAD_CHARACTER", path, offset: node.offset, message, hint: "Remove it." });
}

function isTooLarge(text: string): boolean {
  return text.length > MANIFEST_LIMITS.bytes || new TextEncoder().encode(text).length > MANIFEST_LIMITS.bytes;
}

function brokenJson({ error, offset }: ParseError): Finding {
  const message = SENTENCE_OF[printParseErrorCode(error)] ?? "This is no JSON.";
  return { code: "BROKEN_JSON", path: [], offset, message };
}

function refused(code: string, offset: number, message: string, hint: string): Source {
  return { findings: [{ code, path: [], offset, message, hint }] };
}
