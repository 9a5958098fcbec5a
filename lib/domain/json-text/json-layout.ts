/** Detects the layout of a JSON text and writes values in it. */
import { isRecord } from "./json-value";

export interface JsonLayout {
  eol: string;
  /** One level of indentation. */
  unit: string;
  /** Between key and value, and between two members or items on one line. */
  space: string;
  /** Inside the braces of an object on one line. */
  padding: string;
  /** The text has more than one line. */
  lined: boolean;
}

/** The surrounding layout at the position where something is written. */
export interface WriteContext {
  layout: JsonLayout;
  /** Indentation of the line it starts on. */
  indent: string;
  /** Its siblings are on the same line. */
  flat: boolean;
}

const LINE_WIDTH = 80;

/** Looks at the start of the text only. Two spaces if that shows no indentation. */
export function detectLayout(text: string): JsonLayout {
  const start = text.slice(0, 20_000);
  const lined = start.trim().includes("\n");
  const space = /":([ \t]?)/.exec(start)?.[1] ?? " ";
  return {
    eol: start.includes("\r\n") ? "\r\n" : "\n",
    unit: /\n([ \t]+)\S/.exec(start)?.[1] ?? "  ",
    space,
    padding: /\{( ?)"/.exec(start)?.[1] ?? (lined ? space : ""),
    lined,
  };
}

/** The context of the value that starts at `at`. */
export function contextAt(source: string, at: number, around: WriteContext): WriteContext {
  const line = source.lastIndexOf("\n", at - 1) + 1;
  const indent = line === 0 ? around.indent : (/^[ \t]*/.exec(source.slice(line, at))?.[0] ?? "");
  const flat = source.slice(line, at).trim() !== "" || line === 0;
  return { layout: around.layout, indent, flat };
}

/** JSON of a value: over several lines if `expanded`, but short lists, and short objects in lists, on one line. */
export function writeJson(value: unknown, { layout, indent }: WriteContext, expanded: boolean): string {
  return expanded ? writeExpanded(value, layout, indent, false) : writeFlat(value, layout);
}

export function writeKey(key: string, { space }: JsonLayout): string {
  return `${JSON.stringify(key)}:${space}`;
}

function writeExpanded(value: unknown, layout: JsonLayout, indent: string, inList: boolean): string {
  const isList = Array.isArray(value);
  if (!isList && !isRecord(value)) return writeScalar(value);
  const flat = writeFlat(value, layout);
  const parts: unknown[] = isList ? value : Object.values(value);
  const fits = indent.length + flat.length < LINE_WIDTH && parts.every(isScalar);
  if (parts.length === 0 || (fits && (isList || inList))) return flat;
  const deeper = indent + layout.unit;
  const lines = isList
    ? value.map((item: unknown) => writeExpanded(item, layout, deeper, true))
    : definedMembers(value).map(
        ([key, member]) => writeKey(key, layout) + writeExpanded(member, layout, deeper, false),
      );
  const body = lines.map((line) => `${layout.eol}${deeper}${line}`).join(",");
  return `${isList ? "[" : "{"}${body}${layout.eol}${indent}${isList ? "]" : "}"}`;
}

function writeFlat(value: unknown, layout: JsonLayout): string {
  if (Array.isArray(value))
    return `[${value.map((item: unknown) => writeFlat(item, layout)).join(`,${layout.space}`)}]`;
  if (!isRecord(value)) return writeScalar(value);
  const members = definedMembers(value).map(
    ([key, member]) => writeKey(key, layout) + writeFlat(member, layout),
  );
  if (members.length === 0) return "{}";
  return `{${layout.padding}${members.join(`,${layout.space}`)}${layout.padding}}`;
}

/** Leaves `undefined` out, as `JSON.stringify` does. */
function definedMembers(record: Record<string, unknown>): [string, unknown][] {
  return Object.entries(record).filter(([, member]) => member !== undefined);
}

function writeScalar(value: unknown): string {
  return value === undefined ? "null" : JSON.stringify(value);
}

function isScalar(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}
