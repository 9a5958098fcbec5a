"use client";

import { useState } from "react";
import type { Entry, EntryKind } from "@/lib/domain/manifest/outline/entry";
import type { EditorState } from "../../model/editor-store";
import { useEditor, useEditorStore } from "../../model/use-editor";
import { type Ingredient, INGREDIENTS, toEntryKind } from "@/lib/domain/manifest/outline/new-entry";
import { type ItemDropTarget, useDragAndDrop } from "react-aria-components";
import { DragPreview, dropLine } from "@/components/ui/sortable-list";
import { addEntry, entryTitle, moveEntries } from "../../model/entry-actions";
import { focusRow } from "../desk/focus";

/** What a row of the list shows of an entry. It stays the same object until one of these changes. */
export type RowEntry = Pick<Entry, "id" | "kind" | "index" | "value">;

/** The entries of one kind. Typing in one entry changes no other row, though all that follow it move in the text. */
export function useEntryRows(kind: EntryKind): readonly RowEntry[] {
  const [select] = useState(() => rowsOf(kind));
  return useEditor(select);
}

function rowsOf(kind: EntryKind) {
  let seen: readonly Entry[] | undefined;
  let rows: readonly RowEntry[] = [];
  return ({ outline }: EditorState) => {
    if (outline.entries === seen) return rows;
    seen = outline.entries;
    const before = new Map(rows.map((row) => [row.id, row]));
    const next = seen
      .filter((entry) => entry.kind === kind)
      .map((entry) => sameRow(before.get(entry.id), entry));
    const isSame = next.length === rows.length && next.every((row, index) => row === rows[index]);
    if (!isSame) rows = next;
    return rows;
  };
}

function sameRow(row: RowEntry | undefined, { id, kind, index, value }: Entry): RowEntry {
  return row !== undefined && row.index === index && Object.is(row.value, value)
    ? row
    : { id, kind, index, value };
}

/** What a drag carries. Types are lower-case, since browsers make them so. */

/** An entry that is moved within its list. */
export function entryType(kind: EntryKind): string {
  return `manifest-entry-${kind}`;
}

/** Something of the palette that belongs to this kind's list. */
export function paletteType(kind: EntryKind): string {
  return `manifest-palette-${kind}`;
}

function ingredientType(ingredient: Ingredient): string {
  return `manifest-ingredient-${ingredient.toLowerCase()}`;
}

/** The ingredient is named by a type, since a drop can read the types at once but the data only later. */
export function dragItemOf(ingredient: Ingredient, name: string): Record<string, string> {
  return { [paletteType(toEntryKind(ingredient))]: name, [ingredientType(ingredient)]: name };
}

export function ingredientOf(types: ReadonlySet<string>): Ingredient | undefined {
  return INGREDIENTS.find((ingredient) => types.has(ingredientType(ingredient)));
}

/** Moves entries within their list, and takes what the palette has of their kind. What moved or came has the focus then. */
export function useEntryDrag(kind: EntryKind, rows: readonly RowEntry[]) {
  const store = useEditorStore();
  const placeOf = ({ key, dropPosition }: ItemDropTarget) => {
    const index = rows.findIndex(({ id }) => id === key);
    return dropPosition === "after" ? index + 1 : index;
  };
  const insert = (types: ReadonlySet<string>, index: number) => {
    const ingredient = ingredientOf(types);
    if (ingredient === undefined) return;
    addEntry(store, ingredient, index);
    focusRow(store, store.state().selection);
  };
  const { dragAndDropHooks } = useDragAndDrop<RowEntry>({
    getItems: (_, items) =>
      items.map((row) => ({ [entryType(kind)]: row.id, "text/plain": entryTitle(row) })),
    getAllowedDropOperations: () => ["move"],
    acceptedDragTypes: [entryType(kind), paletteType(kind)],
    onReorder: ({ keys, target }) => {
      const from = rows.filter(({ id }) => keys.has(id)).map(({ index }) => index);
      moveEntries(store, kind, from, placeOf(target));
      const [moved] = keys;
      if (typeof moved === "string") focusRow(store, moved);
    },
    onInsert: ({ items, target }) => {
      for (const item of items) if (item.kind === "text") insert(item.types, placeOf(target));
    },
    onRootDrop: ({ items }) => {
      for (const item of items) if (item.kind === "text") insert(item.types, rows.length);
    },
    renderDropIndicator: dropLine,
    renderDragPreview: ([item]) => <DragPreview>{item?.["text/plain"]}</DragPreview>,
  });
  return dragAndDropHooks;
}
