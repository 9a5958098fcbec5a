"use client";

import { FileDown } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";

/** Takes files that are dropped anywhere on the page. Drags within the page are none of its business. */
export function DropTarget({ onFiles }: { onFiles: (files: File[]) => void }) {
  const [isOver, setOver] = useState(false);
  const dropped = useEffectEvent(onFiles);
  useEffect(() => {
    const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const over = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      event.stopPropagation();
      setOver(true);
    };
    // Leaving for an element within comes with it as the target to which the pointer goes.
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      setOver(false);
      if (!holdsFiles(event)) return;
      event.preventDefault();
      event.stopPropagation();
      dropped([...(event.dataTransfer?.files ?? [])]);
    };
    // First of all: the text editor would take a file's text in, and the browser would leave the page for the file.
    const first = { capture: true };
    window.addEventListener("dragenter", over, first);
    window.addEventListener("dragover", over, first);
    window.addEventListener("dragleave", leave, first);
    window.addEventListener("drop", drop, first);
    return () => {
      window.removeEventListener("dragenter", over, first);
      window.removeEventListener("dragover", over, first);
      window.removeEventListener("dragleave", leave, first);
      window.removeEventListener("drop", drop, first);
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
