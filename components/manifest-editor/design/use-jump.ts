"use client";

import { useEffect, useEffectEvent } from "react";
import { pointerTo } from "@/lib/contract/pointer";
import type { EditorState, EditorStore } from "../editor-store";
import { useEditor, useEditorStore } from "../use-editor";
import { useDesk } from "./desk";
import { findEntry } from "./entry-form";
import { focusField } from "./focus";
import { focusCell } from "./focus-cell";

/** Jumps that were followed already, so that coming back to the tab follows none again. */
const followed = new WeakMap<EditorStore, number>();

/** Follows a press on a problem to the field where it is mended. */
export function useJump(): void {
  const store = useEditorStore();
  const desk = useDesk();
  const jump = useEditor((state) => state.jump);
  const follow = useEffectEvent((to: NonNullable<EditorState["jump"]>) => {
    if (followed.get(store) === to.count) return;
    followed.set(store, to.count);
    // Whoever walks through the tabs stays there.
    if (document.activeElement?.getAttribute("role") === "tab") return;
    const { selection, outline } = store.state();
    const place = to.pointer.slice(pointerTo(...(findEntry(outline.entries, selection)?.path ?? [])).length);
    desk.open(selection);
    const cell = /^\/values\/(\d+)(?:\/(text|value))?$/.exec(place);
    if (cell !== null) focusCell(selection, Number(cell[1]), cell[2] === "value" ? "value" : "text");
    else focusField(selection, place);
  });
  useEffect(() => {
    if (jump !== undefined) follow(jump);
  }, [jump]);
}
