/** Edits of JSON text: everything an edit does not name stays as it is, byte for byte. */
import { childAt, endOfValue, type JsonContainer, readContainer, skipSpace } from "./json-source";
import { getMember, isRecord, pairItems, type Path, sameValue } from "./json-value";
import {
  addChild,
  assemble,
  childContexts,
  childWriter,
  contextAt,
  detectLayout,
  type Piece,
  toPieces,
  type WriteContext,
  writeJson,
} from "./write-json";

export type JsonEdit =
  /** Writes a member or an item; `undefined` removes it. Creates missing parents. */
  | { type: "set"; path: Path; value: unknown }
  /** Writes several members of one object, in order; `undefined` removes. */
  | { type: "assign"; path: Path; members: Readonly<Record<string, unknown>> }
  /** Adds an item before the one at `index`. */
  | { type: "insert"; list: Path; index: number; value: unknown }
  | { type: "remove"; list: Path; index: number }
  /** Moves the items at `from`, in their order, before the item that is now at `to`. */
  | { type: "move"; list: Path; from: readonly number[]; to: number }
  /** Adds a copy of an item after it, with `members` replaced. */
  | { type: "duplicate"; list: Path; index: number; members: Readonly<Record<string, unknown>> };

/** The text after an edit. Throws if the text is not valid JSON. */
export function editText(text: string, edit: JsonEdit): string {
  const layout = detectLayout(text);
  const start = skipSpace(text, 0);
  return editSource(text, start, endOfValue(text, start), edit, { layout, indent: "", flat: !layout.lined });
}

/** The text after an edit whose path begins at the value from `start` to `end`. */
export function editValueAt(text: string, start: number, end: number, edit: JsonEdit): string {
  const layout = detectLayout(text);
  const context = contextAt(text, start, { layout, indent: "", flat: !layout.lined });
  return editSource(text, start, end, edit, context);
}

/** For each index of a list after a move, the index before. */
export function orderAfterMove(length: number, from: readonly number[], to: number): number[] {
  const moved = new Set(from);
  const indexes = Array.from({ length }, (_, index) => index);
  return [
    ...indexes.filter((index) => index < to && !moved.has(index)),
    ...indexes.filter((index) => moved.has(index)),
    ...indexes.filter((index) => index >= to && !moved.has(index)),
  ];
}

function editSource(text: string, start: number, end: number, edit: JsonEdit, context: WriteContext): string {
  const source = text.slice(start, end);
  const changed = changeSource(source, edit, context);
  return changed === source ? text : text.slice(0, start) + changed + text.slice(end);
}

function changeSource(source: string, edit: JsonEdit, context: WriteContext): string {
  const change = (list: Path, of: (source: string, context: WriteContext) => string) =>
    changeIn(source, list, context, of);
  switch (edit.type) {
    case "set":
      return setIn(source, edit.path, edit.value, context);
    case "assign":
      return Object.entries(edit.members).reduce(
        (changed, [key, value]) => setIn(changed, [...edit.path, key], value, context),
        source,
      );
    case "insert": {
      const { list, index, value } = edit;
      const insert = (items: string, at: WriteContext) => insertItem(items, index, value, at);
      // A missing list is created first, so that its first item is laid out as in an empty list.
      return (
        change(list, insert) ?? changeIn(setIn(source, list, [], context), list, context, insert) ?? source
      );
    }
    case "remove":
      return change(edit.list, (items, at) => removeItem(items, edit.index, at)) ?? source;
    case "move":
      return change(edit.list, (items, at) => moveItems(items, edit.from, edit.to, at)) ?? source;
    case "duplicate": {
      const { list, index, members } = edit;
      return change(list, (items, at) => duplicateItem(items, index, members, at)) ?? source;
    }
  }
}

function moveItems(source: string, from: readonly number[], to: number, context: WriteContext): string {
  const length = readContainer(source, 0)?.children.length ?? 0;
  return orderItems(source, orderAfterMove(length, from, to), context);
}

function insertItem(source: string, index: number, value: unknown, context: WriteContext): string {
  const list = readList(source);
  return list === undefined ? source : addChild(source, list, index, index, value, context);
}

function removeItem(source: string, index: number, context: WriteContext): string {
  return setIn(source, [index], undefined, context);
}

/** The items in a new order: `order` contains their old indexes. */
function orderItems(source: string, order: readonly number[], context: WriteContext): string {
  const list = readList(source);
  if (list === undefined) return source;
  const pieces = toPieces(source, list);
  return assemble(
    source,
    list,
    order.map((from, slot) => ({ slot, text: pieces[from]?.text ?? "null" })),
    context,
  );
}

function duplicateItem(
  source: string,
  index: number,
  members: Readonly<Record<string, unknown>>,
  context: WriteContext,
): string {
  const list = readList(source);
  const item = list?.children[index];
  if (list === undefined || item === undefined) return source;
  const pieces = toPieces(source, list);
  const copy = Object.entries(members).reduce(
    (text, [key, value]) => setIn(text, [key], value, contextAt(source, item.from, context)),
    source.slice(item.start, item.end),
  );
  return assemble(
    source,
    list,
    [...pieces.slice(0, index + 1), { text: copy }, ...pieces.slice(index + 1)],
    context,
  );
}

/** Undefined if the source is not a list; edits then leave it unchanged. */
function readList(source: string): JsonContainer | undefined {
  const container = readContainer(source, 0);
  return container?.kind === "array" ? container : undefined;
}

// Changes the source of a JSON value and leaves every other byte as it is. Items that move or are copied keep their
// source; new text follows the style of its neighbors.

/** Writes a value at `path` and creates missing parents; `undefined` removes the value, if there is one. */
function setIn(source: string, path: Path, value: unknown, context: WriteContext): string {
  const [part, ...rest] = path;
  if (part === undefined) return value === undefined ? source : replace(source, value, context);
  const container = readContainer(source, 0);
  if (container === undefined)
    return value === undefined ? source : replace(source, wrap(path, value), context);
  const child = childAt(container, part);
  if (child === undefined) {
    const fits = (container.kind === "array") === (typeof part === "number");
    if (value === undefined || !fits) return source;
    return addChild(source, container, container.children.length, part, wrap(rest, value), context);
  }
  if (value === undefined && rest.length === 0)
    return assemble(
      source,
      container,
      // With one of two equal keys, the other one would count.
      toPieces(source, container).filter(({ slot }) =>
        container.kind === "array"
          ? container.children[slot] !== child
          : container.children[slot]?.key !== child.key,
      ),
      context,
    );
  const changed = setIn(
    source.slice(child.start, child.end),
    rest,
    value,
    contextAt(source, child.from, context),
  );
  return source.slice(0, child.start) + changed + source.slice(child.end);
}

/** Changes the source of the value at `path`; undefined if there is none. */
function changeIn(
  source: string,
  path: Path,
  context: WriteContext,
  change: (source: string, context: WriteContext) => string,
): string | undefined {
  const [part, ...rest] = path;
  if (part === undefined) return change(source, context);
  const child = childAt(readContainer(source, 0), part);
  if (child === undefined) return undefined;
  const inner = source.slice(child.start, child.end);
  const changed = changeIn(inner, rest, contextAt(source, child.from, context), change);
  if (changed === undefined) return undefined;
  return source.slice(0, child.start) + changed + source.slice(child.end);
}

/** Replaces a value. Between two objects or two lists, writes only what differs. */
function replace(source: string, value: unknown, context: WriteContext): string {
  const old: unknown = JSON.parse(source);
  if (sameValue(old, value)) return source;
  const container = readContainer(source, 0);
  if (container?.kind === "array" && Array.isArray(old) && Array.isArray(value) && old.length > 0)
    return replaceItems(source, container, old, value, context);
  if (container?.kind === "object" && isRecord(value) && container.children.length > 0)
    return replaceMembers(source, container, value, context);
  return writeJson(value, context, !context.flat);
}

function replaceMembers(
  source: string,
  container: JsonContainer,
  value: Record<string, unknown>,
  context: WriteContext,
): string {
  const contexts = childContexts(source, container, context);
  const kept = container.children.flatMap((child, slot): Piece[] => {
    const member = getMember(value, child.key ?? "");
    if (member === undefined) return [];
    const changed = replace(source.slice(child.start, child.end), member, contexts[slot] ?? context);
    return [{ slot, text: source.slice(child.from, child.start) + changed }];
  });
  const present = new Set(container.children.map(({ key }) => key));
  const write = childWriter(source, container, container.children.length, context);
  const added = Object.entries(value)
    .filter(([key, member]) => !present.has(key) && member !== undefined)
    .map(([key, member]) => write(key, member));
  return assemble(source, container, [...kept, ...added], context);
}

function replaceItems(
  source: string,
  container: JsonContainer,
  old: readonly unknown[],
  value: readonly unknown[],
  context: WriteContext,
): string {
  const from = pairItems(old, value);
  const contexts = childContexts(source, container, context);
  const write = childWriter(source, container, container.children.length, context);
  const pieces = value.map((item, index): Piece => {
    const pair = from[index] ?? -1;
    const child = container.children[pair];
    if (child === undefined) return write(index, item);
    const text = replace(source.slice(child.start, child.end), item, contexts[pair] ?? context);
    return { slot: old.length === value.length ? index : pair, text };
  });
  return assemble(source, container, pieces, context);
}

function wrap(path: Path, value: unknown): unknown {
  return path.reduceRight<unknown>(
    (inner, part) => (typeof part === "number" ? [inner] : { [part]: inner }),
    value,
  );
}
