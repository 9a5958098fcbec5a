"use client";

import type { Ingredient } from "@/lib/domain/manifest/new-entry";
import { LIFECYCLE_EVENTS } from "@/lib/contract/manifest";
import type { EditorState } from "../editor-store";
import { addEntry } from "../entry-actions";
import { useEditor, useEditorStore } from "../use-editor";
import { useDesk } from "./desk";
import { focusField } from "./focus";
import { revealRow } from "./focus-row";

/** Adds at the end of the list, opens what was added, and puts the focus in its first field with the text selected. */
export function useAddEntry() {
  const store = useEditorStore();
  const desk = useDesk();
  return (ingredient: Ingredient) => {
    const before = store.state().selection;
    addEntry(store, ingredient);
    const { selection } = store.state();
    if (selection === before) return;
    desk.open(selection);
    revealRow(store, selection);
    focusField(selection, "", true);
  };
}

const NONE: readonly Ingredient[] = [];
const HOOKS: readonly Ingredient[] = ["lifecycle"];

/** What there is no more of: the lifecycle hooks, once all are there. */
export function useSpent(): readonly Ingredient[] {
  return useEditor(isSpent) ? HOOKS : NONE;
}

function isSpent({ outline }: EditorState): boolean {
  const present = new Set(
    outline.entries.filter(({ kind }) => kind === "lifecycle").map(({ value }) => value),
  );
  return LIFECYCLE_EVENTS.every((event) => present.has(event));
}
