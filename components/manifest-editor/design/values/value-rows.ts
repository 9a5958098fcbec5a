/** Rows of a Select's values. The manifest has no ids for them, so rows get ids and keep them while they are recognizable. */
import { isRecord, getMember } from "@/lib/domain/json-text/json-value";

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
