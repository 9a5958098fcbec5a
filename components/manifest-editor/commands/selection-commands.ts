/** What can be done to the selected entry. */
import { CopyPlus, MoveDown, MoveUp, Trash2 } from "lucide-react";
import { APP, type EditorStore } from "../editor-store";
import { duplicateEntry, moveEntryBy, removeEntry } from "../entry-actions";
import type { Command } from "./command";

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
