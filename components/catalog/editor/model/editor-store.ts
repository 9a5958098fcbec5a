"use client";

/** The state of the editor in the browser: the text, what was derived from it, and the undo history. */
import { createContext, use } from "react";
import { useStore } from "zustand";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { Issue } from "@/lib/contract/platform/problem";
import type { Outline } from "@/lib/domain/catalog/manifest/entry";
import { editManifest, outlineManifest } from "@/lib/domain/catalog/manifest/outline-manifest";
import {
  type ChangeHistory,
  NO_HISTORY,
  recordChange,
  redoChange,
  undoChange,
} from "@/lib/domain/platform/json-text/change-history";
import type { JsonEdit } from "@/lib/domain/platform/json-text/edit-text";

export const EDITOR_TABS = ["design", "preview", "json", "app", "changes"] as const;
export type EditorTab = (typeof EDITOR_TABS)[number];

/** The selection when it is the app's name and version rather than an entry. */
export const APP = "app";

export interface EditorState {
  outline: Outline;
  /** The issues of `checkedText`, which follows the text after a short pause. */
  issues: readonly Issue[];
  checkedText: string;
  history: ChangeHistory;
  /** An entry's id, or `APP`. */
  selection: string;
  /** The entry was selected because it was added. */
  isSelectionNew: boolean;
  tab: EditorTab;
  /** The location to focus next. `count` distinguishes two jumps to the same location. */
  jump: { pointer: string; line: number; column: number; tab: EditorTab; count: number } | undefined;
  /** For the live region: "Undone: Rename setting". */
  announcement: string;
  toast: { message: string } | undefined;
}

export interface EditNote {
  what: string;
  /** Consecutive edits with the same key, such as keystrokes in one field, are undone together. */
  merge?: string;
  /** What screen readers hear instead of `what`. */
  spoken?: string;
  /** The entry to select afterwards; the selection stays without it. */
  select?: (outline: Outline) => string | undefined;
}

export interface EditorStore extends Omit<StoreApi<EditorState>, "setState"> {
  /** An edit in the design. Ignored while the text is blocked. */
  edit: (edit: JsonEdit, note: EditNote) => void;
  /** Any text is accepted: typed, imported or merged. */
  replaceText: (text: string, note: EditNote) => void;
  undo: () => void;
  redo: () => void;
  select: (selection: string) => void;
  openTab: (tab: EditorTab) => void;
  jumpTo: (location: Pick<Issue, "pointer" | "line" | "column">) => void;
  announce: (message: string) => void;
  /** Announces the message and shows it for a few seconds. */
  notify: (message: string) => void;
  dismissToast: () => void;
}

const CHECK_DELAY_MS = 200;

/** When the validator couldn't be loaded, as without a network. */
const RETRY_MS = 3_000;

/** A draft and its issues, as the server found them. */
export interface CheckedDraft<Draft = { text: string }> {
  draft: Draft;
  issues: readonly Issue[];
}

export function createEditorStore(
  { draft: { text }, issues }: CheckedDraft,
  loadCheck: () => Promise<(outline: Outline) => readonly Issue[]>,
  tab: EditorTab = "design",
): EditorStore {
  const { setState, ...store } = createStore<EditorState>(() => {
    const outline = outlineManifest(text);
    return {
      outline,
      issues,
      checkedText: text,
      history: NO_HISTORY,
      selection: outline.entries[0]?.id ?? APP,
      isSelectionNew: false,
      tab,
      jump: undefined,
      announcement: "",
      toast: undefined,
    };
  });
  const { getState } = store;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function show(outline: Outline, history: ChangeHistory, selection: string, announcement: string): void {
    const { outline: before, selection: selected, isSelectionNew } = getState();
    const isNew = !isListed(before, selection) && isListed(outline, selection);
    setState({
      outline,
      history,
      selection: existingSelection(outline, selection, before),
      isSelectionNew: selection === selected ? isSelectionNew : isNew,
      announcement,
    });
    checkAfter(CHECK_DELAY_MS);
  }

  function checkAfter(delayMs: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      loadCheck().then(
        (check) => {
          const { outline } = getState();
          setState({ issues: check(outline), checkedText: outline.text });
        },
        () => checkAfter(RETRY_MS),
      );
    }, delayMs);
  }

  function change(outline: Outline, { what, spoken = what, merge, select }: EditNote): void {
    const { history, outline: before, announcement, selection } = getState();
    if (outline.text === before.text) return;
    const recorded = recordChange(history, before.text, outline.text, { what, merge, time: Date.now() });
    // Screen readers read keystrokes from the field itself.
    const heard = merge === undefined ? distinct(spoken) : announcement;
    show(outline, recorded, select?.(outline) ?? selection, heard);
  }

  function moveInHistory(step: ReturnType<typeof undoChange>, verb: string): void {
    if (step === undefined) return;
    const { outline: before, selection } = getState();
    const outline = outlineManifest(step.text, before);
    const selected = restoredEntry(outline, before) ?? selection;
    show(outline, step.history, selected, distinct(`${verb}: ${step.change.what}`));
  }

  /** A live region reads a repeated message only if its text differs. */
  function distinct(message: string): string {
    return message === getState().announcement ? `${message}\u00A0` : message;
  }

  return {
    ...store,
    edit: (edit, note) => {
      const { outline } = getState();
      if (outline.blocked.length === 0) change(editManifest(outline, edit), note);
    },
    replaceText: (text, note) => change(outlineManifest(text, getState().outline), note),
    undo: () => moveInHistory(undoChange(getState().history, getState().outline.text), "Undone"),
    redo: () => moveInHistory(redoChange(getState().history, getState().outline.text), "Redone"),
    select: (selection) => setState({ selection, isSelectionNew: false }),
    openTab: (tab) => setState({ tab }),
    jumpTo: ({ pointer, line = 1, column = 1 }) =>
      setState(({ outline, tab: open, jump }) => {
        const tab = open === "json" || outline.blocked.length > 0 ? "json" : "design";
        return {
          tab,
          selection: outline.entries.find(({ path }) => isWithin(pointer, path))?.id ?? APP,
          jump: { pointer, line, column, tab, count: (jump?.count ?? 0) + 1 },
        };
      }),
    announce: (message) => setState({ announcement: distinct(message) }),
    notify: (message) => setState({ toast: { message }, announcement: distinct(message) }),
    dismissToast: () => setState({ toast: undefined }),
  };
}

function isWithin(pointer: string, path: readonly (string | number)[]): boolean {
  const start = path.map((part) => `/${part}`).join("");
  return pointer === start || pointer.startsWith(`${start}/`);
}

function isListed({ entries }: Outline, selection: string): boolean {
  return entries.some(({ id }) => id === selection);
}

/** The entry that an undo or redo added, if it added exactly one. */
function restoredEntry(outline: Outline, before: Outline): string | undefined {
  const known = new Set(before.entries.map(({ id }) => id));
  const [added, second] = outline.entries.filter(({ id }) => !known.has(id));
  return second === undefined ? added?.id : undefined;
}

/** When the selected entry was removed, its neighbor is selected instead. */
function existingSelection(outline: Outline, selection: string, before: Outline): string {
  if (selection === APP || isListed(outline, selection)) return selection;
  const removed = before.entries.find(({ id }) => id === selection);
  const siblings = outline.entries.filter(({ kind }) => kind === removed?.kind);
  return (siblings[removed?.index ?? 0] ?? siblings.at(-1))?.id ?? APP;
}

/** What the page passes about the listing. */
export interface EditedListing {
  id: string;
  /** The `<app-name>` half of `name`. */
  appName: string;
  /** `<org-name>/<app-name>`; the manifest must have this name. */
  name: string;
  title: string;
  /** The platform's catalog of permissions; absent: the common ones. */
  permissions?: readonly string[];
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
