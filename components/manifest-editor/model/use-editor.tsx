"use client";

import { createContext, use } from "react";
import { useStore } from "zustand";
import type { EditorState, EditorStore } from "./editor-store";

/** What the page passes about the listing. */
export interface EditedListing {
  id: string;
  /** The `<app-name>` half of `name`. */
  appName: string;
  /** `<org-name>/<app-name>`; the manifest must have this name. */
  name: string;
  title: string;
  /** The newest published version. */
  published:
    | {
        versionId: string;
        number: string;
        createdAt: string;
        /** Its manifest differs from the draft the page loaded, apart from the version number. */
        differs?: boolean;
        /** The names of its settings and mapping fields, which customers' answers belong to. */
        names?: { setting: readonly string[]; mapping: readonly string[] };
      }
    | undefined;
}

const EditorContext = createContext<{ store: EditorStore; listing: EditedListing } | undefined>(undefined);
export const EditorProvider = EditorContext;

export function useEditorStore(): EditorStore {
  return useEditorContext().store;
}

export function useEditedListing(): EditedListing {
  return useEditorContext().listing;
}

/** `select` must return the same object for the same state. */
export function useEditor<Selected>(select: (state: EditorState) => Selected): Selected {
  return useStore(useEditorContext().store, select);
}

function useEditorContext() {
  const context = use(EditorContext);
  if (context === undefined) throw new Error("EditorProvider is missing");
  return context;
}
