/** Assembles the source of an object or a list from the sources of its children. */
import type { JsonChild, JsonContainer } from "./json-source";
import { isRecord } from "./json-value";

/** A child of the new source. `slot`: the old child whose position it takes. */
export interface Piece {
  text: string;
  slot?: number;
}

/** The context of each child. Read from the text before it only, since a line may be as long as the whole text. */
export function childContexts(
  source: string,
  { children }: JsonContainer,
  around: WriteContext,
): WriteContext[] {
  let { indent } = around;
  return children.map(({ from }, index) => {
    const before = children[index - 1];
    const since = source.slice(before?.from ?? 0, from);
    const line = since.lastIndexOf("\n") + 1;
    if (line > 0) indent = /^[ \t]*/.exec(since.slice(line))?.[0] ?? "";
    const gap = source.slice(before?.end ?? 0, from);
    return { layout: around.layout, indent, flat: !gap.includes("\n") };
  });
}

/** Returns a writer for new members or items beside the child at `index`, in that child's style. */
export function childWriter(
  source: string,
  { kind, children }: JsonContainer,
  index: number,
  context: WriteContext,
): (part: string | number, value: unknown) => Piece {
  const neighbor = children[Math.min(index, children.length - 1)];
  const inner =
    neighbor === undefined
      ? { ...context, indent: context.indent + context.layout.unit }
      : contextAt(source, neighbor.from, context);
  const isLike = neighbor !== undefined && kind === "array" && "[{".includes(source[neighbor.start] ?? "");
  const expanded = isLike ? source.slice(neighbor.start, neighbor.end).includes("\n") : !inner.flat;
  return (part, value) => {
    const key = typeof part === "string" ? writeKey(part, context.layout) : "";
    return { text: key + writeJson(value, inner, expanded) };
  };
}

/** The source with a new child before the one at `index`. */
export function addChild(
  source: string,
  container: JsonContainer,
  index: number,
  part: string | number,
  value: unknown,
  context: WriteContext,
): string {
  const pieces: Piece[] = toPieces(source, container);
  pieces.splice(index, 0, childWriter(source, container, index, context)(part, value));
  return assemble(source, container, pieces, context);
}

export function toPieces(source: string, { children }: JsonContainer) {
  return children.map(({ from, end }, slot) => ({ slot, text: source.slice(from, end) }));
}

/** A container's source with new children. Children in an old slot keep the text that separated them. */
export function assemble(
  source: string,
  container: JsonContainer,
  pieces: readonly Piece[],
  context: WriteContext,
): string {
  const { children } = container;
  const [first, last] = [children[0], children.at(-1)];
  if (pieces.length === 0) return `${source[0] ?? ""}${source.at(-1) ?? ""}`;
  if (first === undefined || last === undefined) return fill(source, container, pieces, context);
  const gap = findGap(source, children, context);
  let result = source.slice(0, first.from);
  pieces.forEach(({ text, slot = 0 }, index) => {
    const [before, child] = [children[slot - 1], children[slot]];
    const between = before === undefined || child === undefined ? gap : source.slice(before.end, child.from);
    result += index === 0 ? text : between + text;
  });
  return result + source.slice(last.end);
}

/** Fills an empty container. */
function fill(
  source: string,
  { kind }: JsonContainer,
  pieces: readonly Piece[],
  context: WriteContext,
): string {
  const { layout, indent, flat } = context;
  const texts = pieces.map(({ text }) => text);
  const [opening, closing] = [source[0] ?? "", source.at(-1) ?? ""];
  if (flat || (kind === "array" && texts.every((text) => /^[^[{]/.test(text)))) {
    const padding = kind === "object" ? layout.padding : "";
    return `${opening}${padding}${texts.join(`,${layout.space}`)}${padding}${closing}`;
  }
  const deeper = layout.eol + indent + layout.unit;
  return opening + deeper + texts.join(`,${deeper}`) + layout.eol + indent + closing;
}

/** The separator for a new child: comma, line break and indentation as between its siblings. */
function findGap(source: string, children: readonly JsonChild[], { layout }: WriteContext): string {
  const [one, other] = children.slice(-2);
  if (one === undefined) return ",";
  const lead =
    other === undefined
      ? source.slice(1, one.from)
      : source.slice(one.end, other.from).replace(/^[^,]*,/, "");
  const line = lead.lastIndexOf("\n");
  if (line >= 0) return `,${layout.eol}${lead.slice(line + 1)}`;
  return `,${other === undefined ? layout.space : lead}`;
}

// Detects the layout of a JSON text and writes values in it.

interface JsonLayout {
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

function writeKey(key: string, { space }: JsonLayout): string {
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
