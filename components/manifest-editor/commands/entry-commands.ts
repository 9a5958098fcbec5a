/** What can be done to the selected entry. */

import { CopyPlus, MoveDown, MoveUp, Plus, Trash2 } from "lucide-react";
import { APP, type EditorStore } from "../model/editor-store";
import { addEntry, duplicateEntry, moveEntryBy, removeEntry } from "../model/entry-actions";
import type { Command } from "./command";
import { type Ingredient, INGREDIENTS, toEntryKind, newEntry } from "@/lib/domain/manifest/outline/new-entry";
import { pointerTo } from "@/lib/contract/pointer";
import { focusField } from "../design/desk/focus";
import { wordOf } from "../model/labels";

export function selectionCommands(store: EditorStore): Command[] {
  const selected = () => {
    const { outline, selection, tab } = store.state();
    if (tab !== "design" || selection === APP || outline.blocked.length > 0) return undefined;
    return outline.entries.find(({ id }) => id === selection);
  };
  const ofSelected = (
    command: Pick<Command, "id" | "title" | "icon" | "keys">,
    act: (entry: NonNullable<ReturnType<typeof selected>>) => void,
  ): Command => ({
    ...command,
    group: "Edit",
    isAvailable: () => selected() !== undefined,
    run: () => {
      const entry = selected();
      if (entry !== undefined) act(entry);
    },
  });
  return [
    ofSelected(
      { id: "duplicate", title: "Duplicate what is selected", icon: CopyPlus, keys: ["Mod+D"] },
      (entry) => duplicateEntry(store, entry),
    ),
    ofSelected(
      { id: "move-up", title: "Move what is selected up", icon: MoveUp, keys: ["Alt+ArrowUp"] },
      (entry) => moveEntryBy(store, entry, -1),
    ),
    ofSelected(
      { id: "move-down", title: "Move what is selected down", icon: MoveDown, keys: ["Alt+ArrowDown"] },
      (entry) => moveEntryBy(store, entry, 1),
    ),
    ofSelected(
      { id: "delete", title: "Delete what is selected", icon: Trash2, keys: ["Mod+Backspace"] },
      (entry) => removeEntry(store, entry),
    ),
  ];
}

const KEY_OF = {
  Select: "S",
  Text: "T",
  Password: "P",
  mapping: "M",
  webhook: "W",
  autofill: "A",
  rater: "R",
  lifecycle: "L",
} as const satisfies Record<Ingredient, string>;

export function addCommands(store: EditorStore): Command[] {
  return INGREDIENTS.map((ingredient) => ({
    id: `add-${ingredient}`,
    title: `Add ${wordOf(ingredient)}`,
    group: "Add",
    icon: Plus,
    keys: [`Alt+Shift+${KEY_OF[ingredient]}`],
    isAvailable: () => {
      const { outline } = store.state();
      return outline.blocked.length === 0 && newEntry(ingredient, outline.entries) !== undefined;
    },
    run: () => addAndOpen(store, ingredient),
  }));
}

/** After what is selected, where that is of the same kind; else at the end. */
function addAndOpen(store: EditorStore, ingredient: Ingredient): void {
  const { outline, selection } = store.state();
  const selected = outline.entries.find(({ id }) => id === selection);
  const index = selected?.kind === toEntryKind(ingredient) ? selected.index + 1 : undefined;
  store.openTab("design");
  addEntry(store, ingredient, index);
  const added = store.state().outline.entries.find(({ id }) => id === store.state().selection);
  if (added === undefined || added.id === selection) return;
  store.jumpTo({ code: "", message: "", pointer: pointerTo(...added.path) });
  // What is typed next replaces the text that it came with.
  focusField(added.id, "", true);
}
