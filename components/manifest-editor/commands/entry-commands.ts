/** Commands that add, change and open entries. */
import { CopyPlus, MoveDown, MoveUp, Plus, Trash2 } from "lucide-react";
import { pointerTo } from "@/lib/contract/pointer";
import { getMember } from "@/lib/domain/json-text/json-value";
import type { Entry } from "@/lib/domain/manifest/outline/entry";
import { INGREDIENTS, newEntry, toEntryKind, type Ingredient } from "@/lib/domain/manifest/outline/new-entry";
import { focusNewEntry } from "../design/desk/focus";
import type { EditorStore } from "../model/editor-store";
import {
  addEntry,
  duplicateEntry,
  entryTitle,
  findEntry,
  moveEntryBy,
  removeEntry,
} from "../model/entry-actions";
import { nameEntry } from "../model/labels";
import type { Command } from "./command";

const ADD_KEYS = {
  Select: "S",
  Text: "T",
  Password: "P",
  mapping: "M",
  webhook: "W",
  autofill: "A",
  rater: "R",
  endpoint: "E",
  lifecycle: "L",
} as const satisfies Record<Ingredient, string>;

export function addCommands(store: EditorStore): Command[] {
  return INGREDIENTS.map((ingredient) => ({
    id: `add-${ingredient}`,
    title: `Add ${nameEntry(ingredient)}`,
    group: "Add",
    icon: Plus,
    keys: [`Alt+Shift+${ADD_KEYS[ingredient]}`],
    isAvailable: () => {
      const { outline } = store.getState();
      return outline.blocked.length === 0 && newEntry(ingredient, outline.entries) !== undefined;
    },
    run: () => addAndOpen(store, ingredient),
  }));
}

/** Adds after the selected entry if it is of the same kind, otherwise at the end. */
function addAndOpen(store: EditorStore, ingredient: Ingredient): void {
  const { outline, selection } = store.getState();
  const selected = findEntry(outline.entries, selection);
  const index = selected?.kind === toEntryKind(ingredient) ? selected.index + 1 : undefined;
  store.openTab("design");
  addEntry(store, ingredient, index);
  const after = store.getState();
  const added = findEntry(after.outline.entries, after.selection);
  if (added === undefined || added.id === selection) return;
  focusNewEntry(added.id);
  store.jumpTo({ pointer: pointerTo(...added.path) });
}

const SELECTION_ACTIONS = [
  { id: "duplicate", title: "Duplicate selection", icon: CopyPlus, keys: "Mod+D", act: duplicateEntry },
  {
    id: "move-up",
    title: "Move selection up",
    icon: MoveUp,
    keys: "Alt+ArrowUp",
    act: (store: EditorStore, entry: Entry) => moveEntryBy(store, entry, -1),
  },
  {
    id: "move-down",
    title: "Move selection down",
    icon: MoveDown,
    keys: "Alt+ArrowDown",
    act: (store: EditorStore, entry: Entry) => moveEntryBy(store, entry, 1),
  },
  { id: "delete", title: "Delete selection", icon: Trash2, keys: "Mod+Backspace", act: removeEntry },
] as const;

export function selectionCommands(store: EditorStore): Command[] {
  const getSelected = () => {
    const { outline, selection, tab } = store.getState();
    if (tab !== "design" || outline.blocked.length > 0) return undefined;
    return findEntry(outline.entries, selection);
  };
  return SELECTION_ACTIONS.map(({ id, title, icon, keys, act }) => ({
    id,
    title,
    group: "Edit",
    icon,
    keys: [keys],
    isAvailable: () => getSelected() !== undefined,
    run: () => {
      const entry = getSelected();
      if (entry !== undefined) act(store, entry);
    },
  }));
}

/** One command per entry that opens it, found by title and name. */
export function openCommands(store: EditorStore): Command[] {
  return store.getState().outline.entries.map((entry) => ({
    id: entry.id,
    title: paletteTitle(entry),
    group: "Go to",
    run: () => {
      const lines = store.getState().outline.entriesText.slice(0, entry.offset).split("\n");
      const column = (lines.at(-1)?.length ?? 0) + 1;
      store.jumpTo({ pointer: pointerTo(...entry.path), line: lines.length, column });
    },
  }));
}

function paletteTitle(entry: Entry): string {
  const title = entryTitle(entry);
  const name = getMember(entry.value, "name") ?? getMember(entry.value, "path");
  const suffix = typeof name === "string" && name !== title ? `, ${name.slice(0, 80)}` : "";
  return `${title} (${nameEntry(entry.kind)}${suffix})`;
}
