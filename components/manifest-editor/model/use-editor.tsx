"use client";

import { createContext, use, useSyncExternalStore, type ReactNode } from "react";
import type { EditorState, EditorStore } from "./editor-store";

/** What the page knows of the listing. */
export interface EditedListing {
  id: string;
  /** The `<app-name>` half. */
  appName: string;
  /** `<org-name>/<app-name>`, as the manifest must name it. */
  name: string;
  title: string;
  state: string;
  /** The newest published version. */
  published:
    | {
        versionId: string;
        number: string;
        createdAt: string;
        /** Its manifest says something else than the draft that the page was loaded with; the number does not count. */
        differs?: boolean;
      }
    | undefined;
  /** Where the gateway answers: what apps and the command line are given. */
  gatewayUrl: string;
  /** Where the JSON Schema is served. */
  schemaUrl: string;
}

const EditorContext = createContext<{ store: EditorStore; listing: EditedListing } | undefined>(undefined);

export function EditorProvider(props: { store: EditorStore; listing: EditedListing; children: ReactNode }) {
  const { store, listing, children } = props;
  return <EditorContext value={{ store, listing }}>{children}</EditorContext>;
}

export function useEditorStore(): EditorStore {
  return useEditorContext().store;
}

export function useEditedListing(): EditedListing {
  return useEditorContext().listing;
}

/** What `select` answers must be the same object for the same state. */
export function useEditor<Selected>(select: (state: EditorState) => Selected): Selected {
  const { store } = useEditorContext();
  const read = () => select(store.state());
  return useSyncExternalStore(store.subscribe, read, read);
}

function useEditorContext() {
  const context = use(EditorContext);
  if (context === undefined) throw new Error("no EditorProvider is above this");
  return context;
}
