"use client";

import { FileDown } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";

/** Accepts files dropped anywhere on the page. Ignores drags within the page. */
export function DropTarget({ onFiles }: { onFiles: (files: File[]) => void }) {
  const [isOver, setOver] = useState(false);
  const dropped = useEffectEvent(onFiles);
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      event.stopPropagation();
      setOver(true);
    };
    // `relatedTarget` is null only when the drag leaves the window.
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      setOver(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      event.stopPropagation();
      dropped([...(event.dataTransfer?.files ?? [])]);
    };
    // Before CodeMirror, which would insert the file's text, and the browser, which would open the file.
    const capture = { capture: true };
    window.addEventListener("dragenter", over, capture);
    window.addEventListener("dragover", over, capture);
    window.addEventListener("dragleave", leave, capture);
    window.addEventListener("drop", drop, capture);
    return () => {
      window.removeEventListener("dragenter", over, capture);
      window.removeEventListener("dragover", over, capture);
      window.removeEventListener("dragleave", leave, capture);
      window.removeEventListener("drop", drop, capture);
    };
  }, []);
  if (!isOver) return null;
  return (
    <div className="pointer-events-none fixed inset-0 z-50 flex items-center justify-center bg-veil p-6">
      <p className="flex arrive items-center gap-3 rounded-card border-2 border-dashed border-accent-text bg-raised px-8 py-6 text-sm font-medium text-ink shadow-high">
        <FileDown aria-hidden className="size-5 text-accent-text" />
        Drop platform-app.json to import
      </p>
    </div>
  );
}
