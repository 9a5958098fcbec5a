"use client";

import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useEditor, useEditorStore } from "../use-editor";

/** On the design, while the text can only be edited as text. */
export function BlockedNotice() {
  const store = useEditorStore();
  const first = useEditor((state) => state.outline.blocked[0]);
  const canUndo = useEditor((state) => state.history.done.length > 0);
  if (first === undefined) return null;
  return (
    <Notice
      tone="warning"
      className="mb-4"
      title={first.line === undefined ? "The JSON is broken" : `The JSON is broken at line ${first.line}`}
      actions={
        <>
          <Button size="small" onPress={() => store.jumpTo(first)}>
            Open JSON
          </Button>
          {canUndo && (
            <Button size="small" tone="quiet" onPress={store.undo}>
              Undo
            </Button>
          )}
        </>
      }
    >
      {first.message} The design shows what was there before, and goes on once the text is mended.
    </Notice>
  );
}
