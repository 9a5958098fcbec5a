/** The validator takes shortcuts, because it runs at every pause in typing. This test compares it with one that takes none. */
import fc from "fast-check";
import { findNodeAtLocation, type Node, type ParseError, parseTree } from "jsonc-parser";
import { expect, test } from "vitest";
import * as z from "zod";
import { manifest as manifestShape } from "@/lib/contract/catalog/manifest";
import type { ManifestCode } from "@/lib/contract/platform/issue-codes";
import { MANIFEST_LIMITS } from "@/lib/contract/platform/manifest-terms";
import { isError, type Issue, pointerTo, splitPointer } from "@/lib/contract/platform/problem";
import { anyManifest, anyManifestText, textOf } from "@/tests/manifests/manifest-arbitrary";
import { DEFECTS, DEFECTS_OF_TEXT, withDefect } from "@/tests/manifests/manifest-defects";
import type { FoundIssue } from "../../platform/json-text/json-source";
import { isRecord, type Path } from "../../platform/json-text/json-value";
import {
  checkCore,
  checkDirectionMarks,
  type CheckedManifest,
  checkIdentity,
  checkManifest,
  checkSettings,
  cutIssues,
  withoutConsequences,
  withoutRepeats,
} from "./check-manifest";
import { checkRights } from "./check-rights";
import { shapeIssues, unknownKeyHint } from "./check-shape";
import { misplacedKeys } from "./misplaced-keys";
import { syntaxIssues } from "./parse-source";

const anyDefect = fc.constantFrom(...DEFECTS).map(([, place, value]) => withDefect(place, value));

/** Lists around their limits, with a few wrong items. */
const anyLongList = fc
  .tuple(
    fc.constantFrom(1, 2, 199, 200, 201, 202, 205),
    fc.array(fc.tuple(fc.nat(210), fc.jsonValue()), { maxLength: 3 }),
  )
  .map(([length, oddities]) => {
    const values: unknown[] = Array.from({ length }, (_, index) => ({
      text: `T${index}`,
      value: `v${index}`,
    }));
    for (const [at, odd] of oddities) if (at < length) values[at] = odd;
    return withDefect(["app", "fields", 0, "values"], values);
  });

const anyValueText = fc.constantFrom("", "x", "x".repeat(1000), "x".repeat(1001), "v0", 7, null, undefined);
const anyOddValue = fc.tuple(fc.constantFrom("text", "value", "more"), anyValueText).map(([key, odd]) =>
  withDefect(
    ["app", "fields", 0, "values"],
    [
      { text: "T", value: "v0" },
      { text: "U", value: "v1", [key]: odd },
    ],
  ),
);

/** Texts with typos: something cut, doubled or inserted. */
const anyTypo = fc
  .tuple(
    anyManifestText,
    fc.nat(),
    fc.nat(30),
    fc.constantFrom(
      "",
      "",
      '"',
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      "\\",
      "\n",
      "\u202e",
      "\\u0000",
      '"a":1,',
      "//",
      "1",
      "nul",
    ),
    fc.boolean(),
  )
  .map(([text, at, length, put, doubles]) => {
    const from = at % (text.length + 1);
    const cut = text.slice(from, from + length);
    return text.slice(0, from) + (doubles ? cut + cut : put) + text.slice(from + length);
  });

test("the validator finds exactly what one without shortcuts finds", () => {
  const anyText = fc.oneof(
    anyManifestText,
    textOf(fc.oneof(anyManifest, anyDefect, anyLongList, anyOddValue)),
    anyTypo,
    fc.json({ maxDepth: 4 }),
    fc.string({ unit: "binary" }),
  );
  fc.assert(
    fc.property(anyText, (text) => {
      expect(checkManifest(text)).toEqual(slowCheck(text));
    }),
    { numRuns: 500 },
  );
});

test.each([
  ...DEFECTS_OF_TEXT.map(([what, text]) => [what, text] as const),
  ["a key of many escapes", '{"\\u0061":1,"a":2}'] as const,
  [
    "a hostile list",
    JSON.stringify({ app: { fields: Array.from({ length: 400 }, () => ({ a: 1 })) } }),
  ] as const,
  [
    "a list of nothing",
    JSON.stringify({ app: { fields: Array.from({ length: 400 }, () => null) } }),
  ] as const,
  ["brackets in strings", `{"${"[{".repeat(40)}":"${'\\"[{'.repeat(40)}"}`] as const,
  ["strings that do not end", `{"a":"${"[".repeat(40)}\n${'"'.repeat(3)}`] as const,
])("the same with %s", (_what, text) => {
  expect(checkManifest(text)).toEqual(slowCheck(text));
});

function slowCheck(text: string): CheckedManifest {
  if (Buffer.byteLength(text) > MANIFEST_LIMITS.bytes) return only(text, "TOO_LARGE", 0);
  if (text.startsWith("\uFEFF")) return only(text, "BYTE_ORDER_MARK", 0);
  const deep = deepest(text);
  if (deep !== undefined) return only(text, "TOO_DEEP", deep);
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true });
  if (tree === undefined || errors.length > 0) return { issues: locate(text, undefined, syntaxIssues(text)) };
  const value = cut(manifestShape, JSON.parse(text));
  const parsed = manifestShape.safeParse(value);
  const found = withoutConsequences([
    ...inspect(tree, []),
    ...(parsed.success ? [] : shapeIssues(parsed.error, value)),
    ...checkIdentity(value),
    ...checkSettings(value),
    ...checkCore(value),
    ...checkRights(value),
    ...misplacedKeys(value),
    ...checkDirectionMarks(value),
    ...unknownKeys(manifestShape, value, []),
  ]);
  const sorted = [...found.filter(isError), ...withoutRepeats(found.filter((issue) => !isError(issue)))];
  const issues = locate(text, tree, cutIssues(sorted));
  return parsed.success && !found.some(isError) ? { manifest: parsed.data, issues } : { issues };
}

/** Compares code and position; the message is the validator's. */
function only(text: string, code: ManifestCode, offset: number): CheckedManifest {
  const [issue] = checkManifest(text).issues;
  return {
    issues: locate(text, undefined, [{ ...issue, code, pointer: "", offset, message: issue?.message ?? "" }]),
  };
}

function deepest(text: string): number | undefined {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\\n]|\\[^])*(?:"|\n|$)|[{}[\]]/g)) {
    if (token === "{" || token === "[") depth += 1;
    if (token === "}" || token === "]") depth -= 1;
    if (depth > MANIFEST_LIMITS.depth) return index;
  }
  return undefined;
}

function locate(text: string, tree: Node | undefined, issues: readonly FoundIssue[]): Issue[] {
  const findOffset = (pointer: string): number => {
    let node = tree;
    for (const part of splitPointer(pointer)) {
      const inner: Node | undefined =
        node && findNodeAtLocation(node, [node.type === "array" ? Number(part) : part]);
      if (inner === undefined) break;
      node = inner;
    }
    return node?.offset ?? 0;
  };
  return issues
    .map((issue) => ({ issue, offset: issue.offset ?? findOffset(issue.pointer) }))
    .sort((one, other) => one.offset - other.offset)
    .map(({ issue: { code, pointer, message, hint, severity = "error" }, offset }) => {
      const lines = text.slice(0, offset).split("\n");
      const at = { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
      return {
        code,
        pointer,
        message,
        ...(hint === undefined ? {} : { hint }),
        severity,
        ...at,
      };
    });
}

function inspect(node: Node, path: Path): FoundIssue[] {
  const value: unknown = node.value;
  if (typeof value === "string") return badCharacters(value, path, node.offset);
  const children = node.children ?? [];
  if (node.type === "array") return children.flatMap((child, index) => inspect(child, [...path, index]));
  const seen = new Set<string>();
  return children.flatMap(({ children: [key, member] = [] }): FoundIssue[] => {
    if (key === undefined || member === undefined) return [];
    const name = String(key.value);
    const inner = [...path, name];
    const at = { pointer: pointerTo(...inner), offset: key.offset };
    const twice = {
      ...at,
      code: "DUPLICATE_KEY" as const,
      message: `The key "${name}" appears twice.`,
      hint: "Remove one of them.",
    };
    const odd = {
      ...at,
      code: "RESERVED_KEY" as const,
      message: '"__proto__" is a reserved key.',
      hint: "Rename it.",
    };
    const found = [...(seen.has(name) ? [twice] : []), ...(name === "__proto__" ? [odd] : [])];
    seen.add(name);
    return [...found, ...badCharacters(name, inner, at.offset), ...inspect(member, inner)];
  });
}

function badCharacters(text: string, path: Path, offset: number): FoundIssue[] {
  if (!/\0|\p{Surrogate}/u.test(text)) return [];
  const message = "This string contains a NUL character or a broken character (half of a surrogate pair).";
  return [{ code: "BAD_CHARACTER", pointer: pointerTo(...path), offset, message, hint: "Remove it." }];
}

function cut(shape: z.core.$ZodType, value: unknown): unknown {
  if (shape instanceof z.ZodOptional) return cut(shape.unwrap(), value);
  if (shape instanceof z.ZodArray && Array.isArray(value)) {
    const { maximum } = shape._zod.bag;
    return value
      .slice(0, typeof maximum === "number" ? maximum + 1 : undefined)
      .map((item) => cut(shape.element, item));
  }
  if (!(shape instanceof z.ZodObject) || !isRecord(value)) return value;
  const members = new Map<string, z.core.$ZodType>(Object.entries(shape.shape));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, cut(members.get(key) ?? z.unknown(), member)]),
  );
}

function unknownKeys(shape: z.core.$ZodType, value: unknown, path: Path): FoundIssue[] {
  if (shape instanceof z.ZodOptional) return unknownKeys(shape.unwrap(), value, path);
  if (shape instanceof z.ZodArray && Array.isArray(value))
    return value.flatMap((item, index) => unknownKeys(shape.element, item, [...path, index]));
  if (!(shape instanceof z.ZodObject) || !isRecord(value)) return [];
  const members = new Map<string, z.core.$ZodType>(Object.entries(shape.shape));
  return Object.entries(value).flatMap(([key, member]): FoundIssue[] => {
    const known = members.get(key);
    if (known !== undefined) return unknownKeys(known, member, [...path, key]);
    if (key === "__proto__") return [];
    const message = `The platform doesn't recognize the key "${key}".`;
    const hint = unknownKeyHint(key, [...members.keys()], value);
    return [{ code: "UNKNOWN_KEY", pointer: pointerTo(...path, key), message, hint, severity: "warning" }];
  });
}
