"use client";

import { useState } from "react";
import { type ItemDropTarget, useDragAndDrop } from "react-aria-components";
import { DragPreview, dropLine } from "@/components/ui/sortable-list";
import type { Entry, EntryKind } from "@/lib/domain/manifest/outline/entry";
import { type Ingredient, INGREDIENTS, toEntryKind } from "@/lib/domain/manifest/outline/new-entry";
import type { EditorState } from "../../model/editor-store";
import { addEntry, entryTitle, moveEntries } from "../../model/entry-actions";
import { useEditor, useEditorStore } from "../../model/use-editor";
import { focusRow } from "../desk/focus";

/** What a row shows of an entry. The same object until one of these members changes. */
export type RowEntry = Pick<Entry, "id" | "kind" | "index" | "value">;

/** Typing in one entry changes no other row, although the offsets of all following entries change. */
export function useEntryRows(kind: EntryKind): readonly RowEntry[] {
  const [select] = useState(() => createRowSelector(kind));
  return useEditor(select);
}

function createRowSelector(kind: EntryKind) {
  let seen: readonly Entry[] | undefined;
  let rows: readonly RowEntry[] = [];
  return ({ outline }: EditorState) => {
    if (outline.entries === seen) return rows;
    seen = outline.entries;
    const before = new Map(rows.map((row) => [row.id, row]));
    const next = seen
      .filter((entry) => entry.kind === kind)
      .map((entry) => reuseRow(before.get(entry.id), entry));
    const isSame = next.length === rows.length && next.every((row, index) => row === rows[index]);
    if (!isSame) rows = next;
    return rows;
  };
}

function reuseRow(row: RowEntry | undefined, { id, kind, index, value }: Entry): RowEntry {
  return row?.index === index && Object.is(row.value, value) ? row : { id, kind, index, value };
}

/** Moves entries within their list and inserts new ones from the palette, then focuses them. */
export function useEntryDrag(kind: EntryKind, rows: readonly RowEntry[]) {
  const store = useEditorStore();
  const dropIndex = ({ key, dropPosition }: ItemDropTarget) => {
    const index = rows.findIndex(({ id }) => id === key);
    return dropPosition === "after" ? index + 1 : index;
  };
  const insert = (types: ReadonlySet<string>, index: number) => {
    const ingredient = INGREDIENTS.find((each) => types.has(ingredientType(each)));
    if (ingredient === undefined) return;
    addEntry(store, ingredient, index);
    focusRow(store, store.getState().selection);
  };
  const { dragAndDropHooks } = useDragAndDrop<RowEntry>({
    getItems: (_, items) =>
      items.map((row) => ({ [entryType(kind)]: row.id, "text/plain": entryTitle(row) })),
    getAllowedDropOperations: () => ["move"],
    acceptedDragTypes: [entryType(kind), paletteType(kind)],
    onReorder: ({ keys, target }) => {
      const from = rows.filter(({ id }) => keys.has(id)).map(({ index }) => index);
      moveEntries(store, kind, from, dropIndex(target));
      const [moved] = keys;
      if (typeof moved === "string") focusRow(store, moved);
    },
    onInsert: ({ items, target }) => {
      for (const item of items) if (item.kind === "text") insert(item.types, dropIndex(target));
    },
    onRootDrop: ({ items }) => {
      for (const item of items) if (item.kind === "text") insert(item.types, rows.length);
    },
    renderDropIndicator: dropLine,
    renderDragPreview: ([item]) => <DragPreview>{item?.["text/plain"]}</DragPreview>,
  });
  return dragAndDropHooks;
}

/** The ingredient is part of a type, because a drop can read types at once but data only later. */
export function createDragItem(ingredient: Ingredient, name: string): Record<string, string> {
  return { [paletteType(toEntryKind(ingredient))]: name, [ingredientType(ingredient)]: name };
}

function entryType(kind: EntryKind): string {
  return `manifest-entry-${kind}`;
}

function paletteType(kind: EntryKind): string {
  return `manifest-palette-${kind}`;
}

/** Browsers convert types to lower case. */
function ingredientType(ingredient: Ingredient): string {
  return `manifest-ingredient-${ingredient.toLowerCase()}`;
}
