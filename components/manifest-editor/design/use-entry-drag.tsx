"use client";

import { useDragAndDrop, type ItemDropTarget } from "react-aria-components";
import { DragPreview, dropLine } from "@/components/ui/sortable-list";
import type { EntryKind } from "@/lib/domain/manifest/outline-manifest";
import { addEntry, entryTitle, moveEntries } from "../entry-actions";
import { useEditorStore } from "../use-editor";
import { entryType, ingredientOf, paletteType } from "./drag-types";
import { focusRow } from "./focus-row";
import type { RowEntry } from "./use-entry-rows";

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
