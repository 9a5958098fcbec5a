import { Plus } from "lucide-react";
import { INGREDIENTS, kindOf, newEntry, type Ingredient } from "@/lib/domain/manifest/new-entry";
import { pointerTo } from "@/lib/contract/pointer";
import { focusField } from "../design/focus";
import type { EditorStore } from "../editor-store";
import { addEntry } from "../entry-actions";
import { wordOf } from "../entry-words";
import type { Command } from "./command";

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
  const index = selected?.kind === kindOf(ingredient) ? selected.index + 1 : undefined;
  store.openTab("design");
  addEntry(store, ingredient, index);
  const added = store.state().outline.entries.find(({ id }) => id === store.state().selection);
  if (added === undefined || added.id === selection) return;
  store.jumpTo({ code: "", message: "", pointer: pointerTo(...added.path) });
  // What is typed next replaces the text that it came with.
  focusField(added.id, "", true);
}
