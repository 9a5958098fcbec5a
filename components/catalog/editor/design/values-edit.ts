"use client";

import { MANIFEST_LIMITS } from "@/lib/contract/platform/manifest-terms";
import { BLANK_VALUE, deriveValue, isDerivedValue } from "@/lib/domain/catalog/manifest/entry";
import type { JsonEdit } from "@/lib/domain/platform/json-text/edit-text";
import { getMember, isRecord, type Path } from "@/lib/domain/platform/json-text/json-value";
import { type EditNote, useEditedListing, useEditorStore } from "../model/editor-store";
import { findEntry } from "../model/entry-actions";
import type { ValueColumn } from "../model/focus";
import { countText, formatValue } from "../model/labels";

/** Edits of a Select's values, at the list's current path. */
export function useValuesEdit(id: string) {
  const store = useEditorStore();
  const { published } = useEditedListing();

  function current(): { list: Path; items: readonly unknown[] } | undefined {
    const entry = findEntry(store.getState().outline.entries, id);
    const items = getMember(entry?.value, "values");
    return entry === undefined || !Array.isArray(items)
      ? undefined
      : { list: [...entry.path, "values"], items };
  }

  function edit(createEdit: (list: Path) => JsonEdit, note: EditNote): void {
    const at = current();
    if (at !== undefined) store.edit(createEdit(at.list), note);
  }

  /** A value that was made from its text follows it, until the app is published with the setting. */
  function write(row: ValueRow, column: ValueColumn, text: string): void {
    const followsText = column === "text" && !isPublished() && isDerivedValue(row.value, row.text);
    const members = followsText ? { text, value: deriveFree(row, text) } : { [column]: text };
    edit((list) => ({ type: "assign", path: [...list, row.index], members }), {
      what: `Change ${column} of a value`,
      merge: `${id}/values/${row.id}/${column}`,
    });
  }

  /** Makes an empty value from its text. `column`: the cell that was just edited, to be undone with it. */
  function fillValue(row: ValueRow, column: ValueColumn): void {
    if (typeof row.text !== "string" || row.text === "" || row.value) return;
    const value = deriveFree(row, row.text);
    edit((list) => ({ type: "assign", path: [...list, row.index], members: { value } }), {
      what: `Change ${column} of a value`,
      merge: `${id}/values/${row.id}/${column}`,
    });
  }

  function deriveFree(row: ValueRow, text: string): string {
    if (text.trim() === "") return "";
    const others = current()?.items.filter((_, index) => index !== row.index) ?? [];
    const taken = others.map((item) => getMember(item, "value")).filter((value) => typeof value === "string");
    return deriveFreeValue(text, taken);
  }

  function isPublished(): boolean {
    const name = getMember(findEntry(store.getState().outline.entries, id)?.value, "name");
    return published?.names?.setting.some((each) => each === name) === true;
  }

  function add(index: number): void {
    edit((list) => ({ type: "insert", list, index, value: { ...BLANK_VALUE } }), {
      what: "Add a value",
    });
  }

  function remove(row: ValueRow): void {
    edit((list) => ({ type: "remove", list, index: row.index }), {
      what: `Delete value "${formatValue(row.text)}"`,
    });
  }

  /** Moves the row before the one that is now at `to`. */
  function move(row: ValueRow, to: number): void {
    if (to === row.index || to === row.index + 1) return;
    const before = formatValue(getMember(current()?.items[to - 1], "text"));
    edit((list) => ({ type: "move", list, from: [row.index], to }), {
      what: `Move value "${formatValue(row.text)}" ${to === 0 ? "to the top" : `after "${before}"`}`,
    });
  }

  /** Inserts the pasted values after the row, or in place of a blank row. Returns what happened. */
  function paste(row: ValueRow, text: string): string {
    const at = current();
    if (at === undefined) return "";
    const isBlank = row.isRecord && !row.text && !row.value;
    const taken = at.items
      .map((item) => getMember(item, "value"))
      .filter((value) => typeof value === "string");
    const room = MANIFEST_LIMITS.values - at.items.length + (isBlank ? 1 : 0);
    const { values, derived, hasMore } = parsePastedValues(text, isBlank ? taken.filter(Boolean) : taken);
    const pasted = values.slice(0, Math.max(room, 0));
    const count = countText(pasted.length, "value");
    // One key, so that one undo reverts the paste. The time distinguishes it from the next paste.
    const note = { what: `Paste ${count}`, merge: `${id}/paste/${Date.now()}` };
    pasted.forEach((value, nth) => {
      if (isBlank && nth === 0) {
        store.edit({ type: "assign", path: [...at.list, row.index], members: { ...value } }, note);
      } else {
        const index = row.index + nth + (isBlank ? 0 : 1);
        store.edit({ type: "insert", list: at.list, index, value: { ...value } }, note);
      }
    });
    const left = values.length - pasted.length;
    const message = [
      `${count} pasted.`,
      ...(left > 0 ? [`${left} left out: a Select can have at most ${MANIFEST_LIMITS.values}.`] : []),
      ...(derived > 0 ? ["Some values were derived from their texts. Check them."] : []),
      ...(hasMore ? ["Only the first two columns were used."] : []),
    ].join(" ");
    store.announce(message);
    return message;
  }

  return { write, fillValue, add, remove, move, paste };
}

// Rows of a Select's values. The manifest has no ids for them, so rows get ids and keep them while they are recognizable.

export interface ValueRow {
  id: string;
  index: number;
  /** From the manifest, of any type; `undefined` if missing. */
  text: unknown;
  value: unknown;
  /** False if the item is, for example, a number or a list. */
  isRecord: boolean;
  item: unknown;
}

/** Returns the same objects for unchanged rows, and the same list if nothing changed. */
export function keepRows(previous: readonly ValueRow[], items: readonly unknown[]): readonly ValueRow[] {
  const ids = keepIds(
    previous.map(({ id, item }) => ({ id, source: sourceOf(item) })),
    items.map(sourceOf),
  );
  const before = new Map(previous.map((row) => [row.id, row]));
  const rows = items.map((item, index): ValueRow => {
    const id = ids[index] ?? newId();
    const row = before.get(id);
    if (row?.index === index && sourceOf(row.item) === sourceOf(item)) return row;
    return {
      id,
      index,
      text: getMember(item, "text"),
      value: getMember(item, "value"),
      isRecord: isRecord(item),
      item,
    };
  });
  const isSame = rows.length === previous.length && rows.every((row, index) => row === previous[index]);
  return isSame ? previous : rows;
}

function keepIds(previous: readonly { id: string; source: string }[], sources: readonly string[]): string[] {
  const ids: string[] = [];
  const length = Math.min(previous.length, sources.length);
  let head = 0;
  while (head < length && previous[head]?.source === sources[head]) head += 1;
  let tail = 0;
  while (tail < length - head && previous.at(-1 - tail)?.source === sources.at(-1 - tail)) tail += 1;
  previous.slice(0, head).forEach(({ id }, index) => (ids[index] = id));
  previous
    .slice(previous.length - tail)
    .forEach(({ id }, index) => (ids[sources.length - tail + index] = id));

  // Between the unchanged start and end: moved rows are recognized by their source, and edited rows by their position.
  const left = previous.slice(head, previous.length - tail);
  const middle = sources.slice(head, sources.length - tail);
  middle.forEach((source, index) => {
    const at = left.findIndex((row) => row.source === source);
    const [row] = at < 0 ? [] : left.splice(at, 1);
    if (row !== undefined) ids[head + index] = row.id;
  });
  middle.forEach((_, index) => (ids[head + index] ??= left.shift()?.id ?? newId()));
  return ids;
}

function sourceOf(item: unknown): string {
  return JSON.stringify(item);
}

let count = 0;

function newId(): string {
  count += 1;
  return `value-${count}`;
}

// Parses text pasted into the table of values: lines of text, or two columns of a spreadsheet.

interface SelectValue {
  text: string;
  value: string;
}

interface PastedValues {
  values: SelectValue[];
  /** The number of values derived from their texts. */
  derived: number;
  /** A third column was left out. */
  hasMore: boolean;
}

/** Has several lines or columns. Other text is pasted into the cell itself. */
export function isTable(text: string): boolean {
  return /[\t\r\n]/.test(text.trim());
}

/** Derived values differ from `taken` ones. Empty lines are left out. */
export function parsePastedValues(text: string, taken: readonly string[] = []): PastedValues {
  const rows = dropHeading(splitRows(text).map((cells) => cells.map((cell) => cell.trim())));
  const { derive, keep } = createValues(taken);
  const result: PastedValues = { values: [], derived: 0, hasMore: false };
  for (const [first = "", second = "", ...more] of rows) {
    if (first === "" && second === "") continue;
    const shown = first === "" ? second : first;
    const value = second === "" ? derive(shown) : keep(second);
    if (second === "") result.derived += 1;
    if (more.some((cell) => cell !== "")) result.hasMore = true;
    result.values.push({ text: shown, value });
  }
  return result;
}

/** The text's value, or the first with a number that is not taken. */
function deriveFreeValue(text: string, taken: readonly string[]): string {
  return createValues(taken).derive(text);
}

/** Derived values are unique: `-2`, `-3`, … is appended if necessary. */
function createValues(taken: readonly string[]) {
  const used = new Set(taken);
  const counts = new Map<string, number>();
  const keep = (value: string) => {
    used.add(value);
    return value;
  };
  const derive = (text: string) => {
    const base = deriveValue(text);
    for (let number = (counts.get(base) ?? 0) + 1; ; number += 1) {
      counts.set(base, number);
      const value = number === 1 ? base : `${base}-${number}`;
      if (!used.has(value)) return keep(value);
    }
  };
  return { keep, derive };
}

function dropHeading(rows: string[][]): string[][] {
  const [first] = rows;
  const isHeading = first?.[0]?.toLowerCase() === "text" && first[1]?.toLowerCase() === "value";
  return isHeading ? rows.slice(1) : rows;
}

/** Spreadsheets quote a cell with a line break, tab or quote, and double the quotes in it. */
const QUOTED = /"((?:[^"]|"")*)"/y;

function splitRows(source: string): string[][] {
  const text = source.replace(/^\uFEFF/, "");
  const delimiter = detectDelimiter(text);
  const rows: string[][] = [[]];
  let at = 0;
  while (at <= text.length) {
    const cell = quotedCell(text, at, delimiter) ?? plainCell(text, at, delimiter);
    rows.at(-1)?.push(cell.text);
    if (cell.end >= text.length) break;
    if (text[cell.end] === delimiter) at = cell.end + 1;
    else {
      rows.push([]);
      at = cell.end + (text.startsWith("\r\n", cell.end) ? 2 : 1);
    }
  }
  return rows;
}

/** A tab, or the character after the quoted first cell of every line, as in CSV. An unquoted comma may be part of the text. */
function detectDelimiter(text: string): string {
  if (text.includes("\t")) return "\t";
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== "");
  return [",", ";"].find((mark) => lines.every((line) => quotedCell(line, 0, mark)?.next === mark)) ?? "\t";
}

function quotedCell(text: string, at: number, delimiter: string) {
  QUOTED.lastIndex = at;
  const match = QUOTED.exec(text);
  if (match === null) return undefined;
  const end = at + match[0].length;
  const next = text[end];
  if (next !== undefined && next !== delimiter && next !== "\n" && next !== "\r") return undefined;
  return { text: (match[1] ?? "").replaceAll('""', '"').replace(/\s*[\r\n]+\s*/g, " "), end, next };
}

function plainCell(text: string, at: number, delimiter: string) {
  let end = at;
  while (end < text.length && text[end] !== delimiter && text[end] !== "\n" && text[end] !== "\r") end += 1;
  return { text: text.slice(at, end), end };
}
