/** Edits of JSON text: everything an edit does not name stays as it is, byte for byte. */
import type { Path } from "./json-value";
import { type WriteContext, detectLayout, contextAt } from "./json-layout";
import { endOfValue, type JsonContainer, readContainer, skipSpace } from "./json-source";
import { changeIn, setIn } from "./rewrite-json";
import { addChild, assemble, toPieces } from "./assemble-json";

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
