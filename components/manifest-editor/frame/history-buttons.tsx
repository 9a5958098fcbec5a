"use client";

import { Redo2, Undo2 } from "lucide-react";
import { useEditor, useEditorStore } from "../use-editor";
import { IconButton } from "./icon-button";

/** Undo and redo, each with the name of its step. */
export function HistoryButtons() {
  const store = useEditorStore();
  const undone = useEditor((state) => state.history.done.at(-1)?.what);
  const redone = useEditor((state) => state.history.undone.at(-1)?.what);
  return (
    <div role="group" aria-label="History" className="flex">
      <IconButton
        icon={Undo2}
        label={undone === undefined ? "Undo" : `Undo: ${undone}`}
        keys="Mod+Z"
        isDisabled={undone === undefined}
        onPress={store.undo}
      />
      <IconButton
        icon={Redo2}
        label={redone === undefined ? "Redo" : `Redo: ${redone}`}
        keys="Mod+Shift+Z"
        isDisabled={redone === undefined}
        onPress={store.redo}
      />
    </div>
  );
}
