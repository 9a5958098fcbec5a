import { type Issue, splitPointer } from "@/lib/contract/platform/problem";

/**
 * Positions of values in a valid JSON text, read level by level and only where needed: building a tree of a 1 MiB
 * manifest takes 40 ms, this takes 1 ms a level. Throws if the text is not valid JSON.
 */

export interface JsonChild {
  /** Undefined for list items. */
  key: string | undefined;
  /** Start of the key; for list items, of the value. */
  from: number;
  start: number;
  end: number;
  /** Set for members that `wanted` names. */
  inside?: JsonContainer;
}

export interface JsonContainer {
  kind: "object" | "array";
  children: JsonChild[];
  end: number;
}

/** Members whose containers are read in the same pass. */
export interface Wanted {
  [key: string]: Wanted;
}

const SCALAR = /[^\s,\]}]+/y;

/** The members or items of the value at `start`; undefined unless it is an object or a list. */
export function readContainer(text: string, start: number, wanted: Wanted = {}): JsonContainer | undefined {
  const opening = text[start];
  if (opening !== "{" && opening !== "[") return undefined;
  const kind = opening === "{" ? "object" : "array";
  const children: JsonChild[] = [];
  let at = skipSpace(text, start + 1);
  while (text[at] !== "}" && text[at] !== "]") {
    const child = kind === "object" ? readMember(text, at, wanted) : readItem(text, at);
    children.push(child);
    at = skipSpace(text, child.end);
    if (text[at] === ",") at = skipSpace(text, at + 1);
    else if (at >= text.length) throw invalidJson(at);
  }
  return { kind, children, end: at + 1 };
}

/** Of several members with one key, the last one, as parsers read it. */
export function childAt(container: JsonContainer | undefined, part: string | number): JsonChild | undefined {
  if (container?.kind === "array") return typeof part === "number" ? container.children[part] : undefined;
  return typeof part === "string" ? container?.children.findLast(({ key }) => key === part) : undefined;
}

/** Also past a byte order mark at the start of the text. */
export function skipSpace(text: string, from: number): number {
  let at = from === 0 && text.charCodeAt(0) === 0xfeff ? 1 : from;
  for (let code = text.charCodeAt(at); code === 32 || (code >= 9 && code <= 13); code = text.charCodeAt(at))
    at += 1;
  return at;
}

/** The offset after the value that starts at `start`. */
export function endOfValue(text: string, start: number): number {
  const opening = text[start];
  if (opening === '"') return endOfString(text, start);
  if (opening === "{" || opening === "[") return endOfContainer(text, start);
  SCALAR.lastIndex = start;
  if (!SCALAR.test(text)) throw invalidJson(start);
  return SCALAR.lastIndex;
}

/** The offset after the closing quote of the string at `start`; the end of the text if it has none. */
export function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (quote > 0 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote < 0 ? text.length : quote + 1;
}

function endOfContainer(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 34) at = endOfString(text, at) - 1;
    else if (code === 123 || code === 91) depth += 1;
    else if (code === 125 || code === 93) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  throw invalidJson(text.length);
}

function readMember(text: string, from: number, wanted: Wanted): JsonChild {
  const keyEnd = endOfString(text, from);
  const source = text.slice(from, keyEnd);
  const colon = skipSpace(text, keyEnd);
  if (text[from] !== '"' || text[colon] !== ":") throw invalidJson(from);
  const key = source.includes("\\") ? String(JSON.parse(source)) : source.slice(1, -1);
  const start = skipSpace(text, colon + 1);
  const inner = Object.hasOwn(wanted, key) ? wanted[key] : undefined;
  const inside = inner === undefined ? undefined : readContainer(text, start, inner);
  return { key, from, start, end: inside?.end ?? endOfValue(text, start), inside };
}

function readItem(text: string, start: number): JsonChild {
  return { key: undefined, from: start, start, end: endOfValue(text, start) };
}

function isEscaped(text: string, quote: number): boolean {
  let at = quote;
  while (text.charCodeAt(at - 1) === 92) at -= 1;
  return (quote - at) % 2 === 1;
}

function invalidJson(at: number): Error {
  return new Error(`invalid JSON at offset ${at}`);
}

// Scans a text before it is parsed: parsers may recurse, so 10,000 levels must not reach them.

interface ScannedSource {
  /** The deepest level reached. */
  depth: number;
  /** Colons outside strings. In valid JSON, the number of members of all objects together. */
  colons: number;
}

/** Exact for valid JSON; only an estimate for other texts, whose strings may not end. */
export function scanSource(text: string): ScannedSource {
  let level = 0;
  let depth = 0;
  let colons = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 34) at = endOfString(text, at) - 1;
    else if (code === 123 || code === 91) {
      level += 1;
      if (level > depth) depth = level;
    } else if (code === 125 || code === 93) level -= 1;
    else if (code === 58) colons += 1;
  }
  return { depth, colons };
}

/**
 * Offset of the first bracket that opens a level deeper than `limit`, if any. Works for any text: an unclosed string
 * ends with its line.
 */
export function tooDeepAt(text: string, limit: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (quoted) {
      if (code === 92) at += 1;
      else if (code === 34 || code === 10) quoted = false;
    } else if (code === 34) quoted = true;
    else if (code === 123 || code === 91) {
      depth += 1;
      if (depth > limit) return at;
    } else if (code === 125 || code === 93) depth -= 1;
  }
  return undefined;
}

// Adds line and column to issues, from their JSON pointers or offsets.

/** An issue whose position in the text is not known yet. */
export interface FoundIssue extends Issue {
  /** Set where the pointer does not lead to the position, as in broken JSON or at duplicate keys. */
  offset?: number;
}

/** Sorted by position. The text must be valid JSON unless every issue has an offset. */
export function locateIssues(text: string, issues: readonly FoundIssue[]): Issue[] {
  if (issues.length === 0) return [];
  const starts = lineStarts(text);
  const findOffset = offsetFinder(text);
  return issues
    .map((issue) => ({ issue, offset: issue.offset ?? findOffset(issue.pointer) }))
    .sort((one, other) => one.offset - other.offset)
    .map(({ issue: { code, pointer, message, hint, severity = "error" }, offset }) => {
      const line = lineAt(starts, offset);
      const column = offset - (starts[line - 1] ?? 0) + 1;
      return { code, pointer, message, ...(hint === undefined ? {} : { hint }), severity, line, column };
    });
}

/** Finds where the value at a pointer starts, or its nearest parent if it is missing. Reads each level once. */
function offsetFinder(text: string): (pointer: string) => number {
  const containers = new Map<number, JsonContainer | undefined>();
  const containerAt = (offset: number) => {
    if (!containers.has(offset)) containers.set(offset, readContainer(text, offset));
    return containers.get(offset);
  };
  return (pointer) => {
    let offset = skipSpace(text, 0);
    for (const part of splitPointer(pointer)) {
      const container = containerAt(offset);
      // Of two members with one key, the first one: another issue says that the key appears twice.
      const child =
        container?.kind === "array"
          ? childAt(container, Number(part))
          : container?.children.find(({ key }) => key === part);
      if (child === undefined) break;
      offset = child.start;
    }
    return offset;
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}
