/** Changes of a list's source. Where the source is no list, or the place is none of its, it stays as it is. */
import { addChild, assemble, piecesOf } from "./assemble-json";
import { placeAt, type JsonPlace } from "./json-layout";
import { readContainer, type JsonContainer } from "./json-source";
import { setIn } from "./rewrite-json";

/** A new item of a list before the one at `index`. */
export function insertItem(source: string, index: number, value: unknown, place: JsonPlace): string {
  const list = listOf(source);
  return list === undefined ? source : addChild(source, list, index, index, value, place);
}

export function removeItem(source: string, index: number, place: JsonPlace): string {
  return setIn(source, [index], undefined, place);
}

/** The items that are at `order`'s places now, in its order. */
export function orderItems(source: string, order: readonly number[], place: JsonPlace): string {
  const list = listOf(source);
  if (list === undefined) return source;
  const pieces = piecesOf(source, list);
  return assemble(
    source,
    list,
    order.map((from, slot) => ({ slot, text: pieces[from]?.text ?? "null" })),
    place,
  );
}

/** A copy of an item's source behind it, with other members. */
export function duplicateItem(
  source: string,
  index: number,
  members: Readonly<Record<string, unknown>>,
  place: JsonPlace,
): string {
  const list = listOf(source);
  const item = list?.children[index];
  if (list === undefined || item === undefined) return source;
  const pieces = piecesOf(source, list);
  const copy = Object.entries(members).reduce(
    (text, [key, value]) => setIn(text, [key], value, placeAt(source, item.from, place)),
    source.slice(item.start, item.end),
  );
  return assemble(
    source,
    list,
    [...pieces.slice(0, index + 1), { text: copy }, ...pieces.slice(index + 1)],
    place,
  );
}

function listOf(source: string): JsonContainer | undefined {
  const container = readContainer(source, 0);
  return container?.kind === "array" ? container : undefined;
}
