/** Edits of a manifest as edits of its text: what they do not name stays as it is, byte for byte. */
import type { Path } from "./finding";
import { layoutOf, placeAt, type JsonPlace } from "./json-layout";
import { endOfValue, readContainer, skipSpace } from "./json-source";
import { changeIn, setIn } from "./rewrite-json";
import { duplicateItem, insertItem, orderItems, removeItem } from "./rewrite-list";

export type ManifestEdit =
  /** Writes a member or an item; `undefined` removes the member. What is around it is made where it is missing. */
  | { type: "set"; path: Path; value: unknown }
  /** Several members of one place at once, in order; `undefined` removes. */
  | { type: "assign"; path: Path; members: Readonly<Record<string, unknown>> }
  /** A new item before the one at `index`. */
  | { type: "insert"; list: Path; index: number; value: unknown }
  | { type: "remove"; list: Path; index: number }
  /** The items at `from`, in their order, go before the item that is at `to` now; their sources stay as they are. */
  | { type: "move"; list: Path; from: readonly number[]; to: number }
  /** A copy of an item's source after it, with other members. */
  | { type: "duplicate"; list: Path; index: number; members: Readonly<Record<string, unknown>> };

/** The text after an edit. Throws where the text is no JSON. */
export function editText(text: string, edit: ManifestEdit): string {
  const layout = layoutOf(text);
  const start = skipSpace(text, 0);
  return editSource(text, start, endOfValue(text, start), edit, { layout, indent: "", flat: !layout.lined });
}

/** The text after an edit of the value from `start` to `end`, where the edit's path begins. */
export function editValueAt(text: string, start: number, end: number, edit: ManifestEdit): string {
  const layout = layoutOf(text);
  const place = placeAt(text, start, { layout, indent: "", flat: !layout.lined });
  return editSource(text, start, end, edit, place);
}

/** For each place of a list of `length` items after a move, the place before it. */
export function orderAfterMove(length: number, from: readonly number[], to: number): number[] {
  const moved = new Set(from);
  const places = Array.from({ length }, (_, index) => index);
  return [
    ...places.filter((index) => index < to && !moved.has(index)),
    ...places.filter((index) => moved.has(index)),
    ...places.filter((index) => index >= to && !moved.has(index)),
  ];
}

function editSource(text: string, start: number, end: number, edit: ManifestEdit, place: JsonPlace): string {
  const source = text.slice(start, end);
  const changed = changeSource(source, edit, place);
  return changed === source ? text : text.slice(0, start) + changed + text.slice(end);
}

function changeSource(source: string, edit: ManifestEdit, place: JsonPlace): string {
  const change = (list: Path, of: (source: string, place: JsonPlace) => string) =>
    changeIn(source, list, place, of);
  switch (edit.type) {
    case "set":
      return setIn(source, edit.path, edit.value, place);
    case "assign":
      return Object.entries(edit.members).reduce(
        (changed, [key, value]) => setIn(changed, [...edit.path, key], value, place),
        source,
      );
    case "insert": {
      const { list, index, value } = edit;
      const insert = (items: string, at: JsonPlace) => insertItem(items, index, value, at);
      // A list that is missing is made first, so that its first entry is laid out as in one that was empty.
      return change(list, insert) ?? changeIn(setIn(source, list, [], place), list, place, insert) ?? source;
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

function moveItems(source: string, from: readonly number[], to: number, place: JsonPlace): string {
  const length = readContainer(source, 0)?.children.length ?? 0;
  return orderItems(source, orderAfterMove(length, from, to), place);
}
