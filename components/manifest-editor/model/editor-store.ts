/** What the editor holds in the browser: the text, what was made of it, and the way back. Everything else is drawn from it. */
import type { Issue } from "@/lib/contract/problem";
import {
  NO_HISTORY,
  recordChange,
  redoChange,
  undoChange,
  type ChangeHistory,
} from "@/lib/domain/json-text/change-history";
import { checkManifest } from "@/lib/domain/manifest/check/check-manifest";
import { editManifest } from "@/lib/domain/manifest/outline/edit-manifest";
import type { JsonEdit } from "@/lib/domain/json-text/edit-text";
import type { Outline } from "@/lib/domain/manifest/outline/entry";
import { locateIssues } from "@/lib/domain/json-text/locate-issues";
import { outlineManifest } from "@/lib/domain/manifest/outline/outline-manifest";

export const EDITOR_TABS = ["design", "preview", "json", "app", "changes"] as const;
export type EditorTab = (typeof EDITOR_TABS)[number];

/** Selected when no entry is: the app's name and version. */
export const APP = "app";

export interface EditorState {
  outline: Outline;
  /** Of `checkedText`, which follows the text after a short pause. */
  issues: readonly Issue[];
  checkedText: string;
  history: ChangeHistory;
  /** An entry's id, or `APP`. */
  selection: string;
  tab: EditorTab;
  /** Where a problem's press leads: whoever shows that place gives it the focus. `count` tells one press from the next. */
  jump: { pointer: string; line: number; column: number; count: number } | undefined;
  /** What was done last, for the live region: "Undone: Rename setting". */
  announcement: string;
}

export interface EditNote {
  what: string;
  /** Edits that follow each other with the same one, such as keystrokes in one field, are undone together. */
  merge?: string;
  /** The entry to select afterwards, when it is not the one that is. */
  select?: (outline: Outline) => string | undefined;
}

export interface EditorStore {
  state: () => EditorState;
  subscribe: (listener: () => void) => () => void;
  /** An edit of the design. Nothing happens while the text is blocked. */
  edit: (edit: JsonEdit, note: EditNote) => void;
  /** An edit of the text itself: typed, imported, merged. Any text will do. */
  replaceText: (text: string, note: EditNote) => void;
  undo: () => void;
  redo: () => void;
  select: (selection: string) => void;
  openTab: (tab: EditorTab) => void;
  jumpTo: (issue: Issue) => void;
  announce: (announcement: string) => void;
}

const CHECK_PAUSE_MS = 200;

export function createEditorStore(text: string, check: (outline: Outline) => readonly Issue[]): EditorStore {
  const outline = outlineManifest(text);
  let state: EditorState = {
    outline,
    issues: check(outline),
    checkedText: text,
    history: NO_HISTORY,
    selection: outline.entries[0]?.id ?? APP,
    tab: "design",
    jump: undefined,
    announcement: "",
  };
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function set(changed: Partial<EditorState>): void {
    state = { ...state, ...changed };
    for (const listener of listeners) listener();
  }

  function show(outline: Outline, history: ChangeHistory, selection: string, announcement: string): void {
    set({ outline, history, selection: stillThere(outline, selection, state.outline), announcement });
    clearTimeout(timer);
    timer = setTimeout(() => {
      const { outline } = state;
      set({ issues: check(outline), checkedText: outline.text });
    }, CHECK_PAUSE_MS);
  }

  function change(outline: Outline, note: EditNote): void {
    const { history } = state;
    if (outline.text === state.outline.text) return;
    const recorded = recordChange(history, state.outline.text, outline.text, {
      what: note.what,
      merge: note.merge,
      time: Date.now(),
    });
    // Keystrokes are read out by the field itself.
    const announcement = note.merge === undefined ? again(note.what) : state.announcement;
    show(outline, recorded, note.select?.(outline) ?? state.selection, announcement);
  }

  function walk(step: ReturnType<typeof undoChange>, verb: string): void {
    if (step === undefined) return;
    const outline = outlineManifest(step.text, state.outline);
    const selection = broughtBack(outline, state.outline) ?? state.selection;
    show(outline, step.history, selection, again(`${verb}: ${step.change.what}`));
  }

  /** The same words twice are only read out twice when they are not quite the same. */
  function again(words: string): string {
    return words === state.announcement ? `${words}\u00A0` : words;
  }

  return {
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    edit: (edit, note) => {
      if (state.outline.blocked.length === 0) change(editManifest(state.outline, edit), note);
    },
    replaceText: (text, note) => change(outlineManifest(text, state.outline), note),
    undo: () => walk(undoChange(state.history, state.outline.text), "Undone"),
    redo: () => walk(redoChange(state.history, state.outline.text), "Done again"),
    select: (selection) => set({ selection }),
    openTab: (tab) => set({ tab }),
    jumpTo: ({ pointer, line = 1, column = 1 }) => {
      const entry = state.outline.entries.find(({ path }) => isWithin(pointer, path));
      const tab = state.tab === "json" || state.outline.blocked.length > 0 ? "json" : "design";
      const jump = { pointer, line, column, count: (state.jump?.count ?? 0) + 1 };
      set({ tab, selection: entry?.id ?? APP, jump });
    },
    announce: (words) => set({ announcement: again(words) }),
  };
}

/** What is wrong with the text, and with its being this listing's. */
export function checkDraft({ text, name, blocked }: Outline, listingName: string): readonly Issue[] {
  const { issues } = checkManifest(text);
  const isTold = issues.some(({ pointer }) => pointer === "/name");
  if (blocked.length > 0 || typeof name !== "string" || name === listingName || isTold) return issues;
  const message = `This listing is "${listingName}".`;
  const hint = `Write "name": "${listingName}".`;
  return [...locateIssues(text, [{ code: "WRONG_NAME", pointer: "/name", message, hint }]), ...issues];
}

function isWithin(pointer: string, path: readonly (string | number)[]): boolean {
  const start = path.map((part) => `/${part}`).join("");
  return pointer === start || pointer.startsWith(`${start}/`);
}

/** The one entry that a step back or forth brought, if it brought one. */
function broughtBack(outline: Outline, before: Outline): string | undefined {
  const known = new Set(before.entries.map(({ id }) => id));
  const [brought, second] = outline.entries.filter(({ id }) => !known.has(id));
  return second === undefined ? brought?.id : undefined;
}

/** An entry that is gone leaves the selection to its neighbour. */
function stillThere(outline: Outline, selection: string, before: Outline): string {
  if (selection === APP || outline.entries.some(({ id }) => id === selection)) return selection;
  const gone = before.entries.find(({ id }) => id === selection);
  const family = outline.entries.filter(({ kind }) => kind === gone?.kind);
  return (family[gone?.index ?? 0] ?? family.at(-1))?.id ?? APP;
}
