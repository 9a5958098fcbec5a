"use client";

import { useMemo, useState } from "react";
import { editorCommands, type FrameActions } from "../commands/editor-commands";
import type { EditorStore } from "../model/editor-store";
import { useSync } from "../sync/use-sync";
import { useEditorStore } from "../model/use-editor";
import { chooseFile } from "./manifest-file";
import { copyToClipboard, downloadText } from "./manifest-file";
import { readManifestFile } from "./manifest-file";
import { useToast } from "../model/toast";

export type OpenDialog = "palette" | "shortcuts" | "release";

interface Fault {
  title: string;
  text: string;
}

/** What the frame does, the dialog that is open, and what went wrong at an import or a copy. */
export function useFrameActions() {
  const store = useEditorStore();
  const sync = useSync();
  const tell = useToast();
  const [dialog, setDialog] = useState<OpenDialog>();
  const [fault, setFault] = useState<Fault>();

  const { actions, commands, importFiles } = useMemo(() => {
    const importFiles = (files: readonly File[]) => {
      void importInto(store, files).then((outcome) => {
        setFault(typeof outcome === "object" ? outcome : undefined);
        if (typeof outcome === "string") tell(outcome);
      });
    };
    const actions: FrameActions = {
      saveNow: () => {
        void sync.saveNow().then((saved) => saved && store.announce("Saved"));
      },
      importFile: () => chooseFile(importFiles),
      exportFile: () => downloadText(store.state().outline.text, "platform-app.json"),
      copyText: () => {
        void copyToClipboard(store.state().outline.text).then((copied) => {
          if (copied) return tell("Copied the manifest");
          const text = "The browser did not allow it. Export the file, or copy from the tab JSON.";
          setFault({ title: "The manifest was not copied", text });
        });
      },
      openPalette: () => setDialog("palette"),
      openShortcuts: () => setDialog("shortcuts"),
      openRelease: () => setDialog("release"),
    };
    return { actions, commands: editorCommands(store, actions), importFiles };
  }, [store, sync, tell]);
  return { actions, commands, importFiles, dialog, setDialog, fault, setFault };
}

/** What to say of it; broken JSON is imported like any other text. */
async function importInto(store: EditorStore, files: readonly File[]): Promise<string | Fault | undefined> {
  const [file, second] = files;
  if (file === undefined) return undefined;
  if (second !== undefined) return { title: "Nothing was imported", text: "Drop one file at a time." };
  const read = await readManifestFile(file);
  if ("fault" in read) return { title: `"${file.name}" was not imported`, text: read.fault };
  if (read.text === store.state().outline.text) return `${file.name} holds what is here already`;
  store.replaceText(read.text, { what: `Import ${file.name}` });
  if (store.state().outline.blocked.length > 0) store.openTab("json");
  return `Imported ${file.name}. Undo brings back how it was.`;
}
