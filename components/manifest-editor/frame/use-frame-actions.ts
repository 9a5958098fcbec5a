"use client";

import { useMemo, useState } from "react";
import { editorCommands, type FrameActions } from "../commands/editor-commands";
import type { EditorStore } from "../model/editor-store";
import { useEditorStore } from "../model/use-editor";
import { useSync } from "@/components/draft-sync/use-sync";
import { chooseFile, copyToClipboard, downloadText, readManifestFile } from "./manifest-file";

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
        void copyToClipboard(store.getState().outline.text).then((isCopied) => {
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
