"use client";

import { FileDown } from "lucide-react";
import { useEffect, useEffectEvent, useMemo, useState } from "react";
import { copyText } from "@/lib/client/copy-text";
import { MANIFEST_LIMITS } from "@/lib/contract/platform/manifest-terms";
import { useSync } from "../drafts/use-draft-sync";
import { editorCommands, type FrameActions } from "./editor-commands";
import { type EditorStore, useEditorStore } from "./model/editor-store";

interface FrameError {
  title: string;
  text: string;
}

/** The frame's actions, its open dialog, and the error of the last import or copy. */
export function useFrameActions() {
  const store = useEditorStore();
  const sync = useSync();
  const [dialog, setDialog] = useState<"palette" | "shortcuts" | "release">();
  const [error, setError] = useState<FrameError>();

  const { actions, commands, importFiles } = useMemo(() => {
    const importFiles = (files: readonly File[]) =>
      void importInto(store, files).then((outcome) => {
        setError(typeof outcome === "object" ? outcome : undefined);
        if (typeof outcome === "string") store.notify(outcome);
      });
    const actions: FrameActions = {
      saveNow: () => void sync.saveNow().then((isSaved) => isSaved && store.announce("Saved")),
      importFile: () => chooseFile(importFiles),
      exportFile: () => downloadText(store.getState().outline.text, "platform-app.json"),
      copyText: () =>
        void copyText(store.getState().outline.text).then((isCopied) => {
          if (isCopied) return store.notify("Manifest copied");
          const text = "The browser blocked it. Export the file, or copy the text from the JSON tab.";
          setError({ title: "The manifest was not copied", text });
        }),
      openPalette: () => setDialog("palette"),
      openShortcuts: () => setDialog("shortcuts"),
      openRelease: () => setDialog("release"),
    };
    return { actions, commands: editorCommands(store, actions), importFiles };
  }, [store, sync]);
  return { actions, commands, importFiles, dialog, setDialog, error, setError };
}

/** Returns the message to show. Broken JSON is imported like any other text. */
async function importInto(
  store: EditorStore,
  files: readonly File[],
): Promise<string | FrameError | undefined> {
  const [file, second] = files;
  if (file === undefined) return undefined;
  if (second !== undefined) return { title: "Nothing was imported", text: "Drop one file at a time." };
  const read = await readManifestFile(file);
  if ("error" in read) return { title: `"${file.name}" was not imported`, text: read.error };
  if (read.text === store.getState().outline.text) return `${file.name} is identical to the current text`;
  store.replaceText(read.text, { what: `Import ${file.name}` });
  if (store.getState().outline.blocked.length > 0) store.openTab("json");
  return `Imported ${file.name}. Undo restores the previous text.`;
}

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

// Importing and exporting the manifest as a file or through the clipboard.

/** Kept while the browser's dialog is open: some browsers discard an input that nothing references. */
let chooser: HTMLInputElement | undefined;

/** Browsers allow this only in response to a user action. */
function chooseFile(onChosen: (files: File[]) => void): void {
  chooser = document.createElement("input");
  chooser.type = "file";
  chooser.accept = ".json,application/json";
  chooser.addEventListener("change", () => onChosen([...(chooser?.files ?? [])]));
  chooser.click();
}

/** Keeps a byte order mark, which the checks report. */
export async function readManifestFile(file: Blob): Promise<{ text: string } | { error: string }> {
  if (file.size > MANIFEST_LIMITS.bytes)
    return {
      error: `The file is ${formatSize(file.size)}. A manifest can be at most ${formatSize(MANIFEST_LIMITS.bytes)}.`,
    };
  try {
    const bytes = await file.arrayBuffer();
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch (error) {
    if (error instanceof TypeError)
      return { error: "The file is not valid UTF-8. Save it as UTF-8, then import it again." };
    return { error: "The file couldn't be read. It may have been moved, or it is a folder." };
  }
}

/** "1.5 MiB"; small sizes in bytes. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  if (bytes < 1024 * 1024) return `${Math.ceil(bytes / 1024)} KiB`;
  return `${Math.ceil((bytes / 1024 / 1024) * 100) / 100} MiB`;
}

function downloadText(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers start reading only after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
