/** Rows of a Select's values. The manifest gives them no ids; a row keeps the id that it got while it can be recognised. */
import { isRecord, getMember } from "@/lib/domain/json-text/json-value";

export interface ValueRow {
  id: string;
  index: number;
  /** As written: of any type, and `undefined` when it is missing. */
  text: unknown;
  value: unknown;
  /** The item has members at all; one that is a number or a list has none. */
  isRecord: boolean;
  item: unknown;
}

/** A row that did not change is the same object as before; so is the list of them. */
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
  const least = Math.min(previous.length, sources.length);
  let head = 0;
  while (head < least && previous[head]?.source === sources[head]) head += 1;
  let tail = 0;
  while (tail < least - head && previous.at(-1 - tail)?.source === sources.at(-1 - tail)) tail += 1;
  previous.slice(0, head).forEach(({ id }, index) => (ids[index] = id));
  previous
    .slice(previous.length - tail)
    .forEach(({ id }, index) => (ids[sources.length - tail + index] = id));

  // Between what stayed in front and behind: rows that moved are known by their source, a row that was typed or pasted
  // in by its place.
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
