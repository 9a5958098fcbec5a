"use client";

/** Moves the focus to elements that the next render adds: rows, cells of values, and fields of the inspector. */
import { type RefObject, useEffect } from "react";
import { scaled } from "@/components/ui/root-font-size";
import { APP, type EditorStore, useEditorStore } from "./editor-store";
import { findEntry } from "./entry-actions";

/** On a slow device, a large manifest may take this long to render. */
const MAX_WAIT_MS = 3_000;

function focusSoon(find: () => HTMLElement | null, then: (element: HTMLElement) => void): void {
  const started = performance.now();
  const attempt = () => {
    const element = find();
    if (element !== null) {
      element.focus();
      then(element);
    } else if (performance.now() - started < MAX_WAIT_MS) requestAnimationFrame(attempt);
  };
  requestAnimationFrame(attempt);
}

/** Collects what is typed until the returned function is called, because the field that it is meant for is not there yet. */
function collectTyping(): () => string {
  let typed = "";
  const collect = (event: KeyboardEvent) => {
    const { key, isComposing, ctrlKey, metaKey, altKey } = event;
    const isCommand = (ctrlKey || metaKey || altKey) && !event.getModifierState("AltGraph");
    if (isComposing || isCommand || (key.length !== 1 && key !== "Backspace")) return;
    event.preventDefault();
    event.stopPropagation();
    typed = key === "Backspace" ? typed.slice(0, -1) : typed + key;
  };
  // On the window, before the listener of the shortcuts.
  window.addEventListener("keydown", collect, { capture: true });
  return () => {
    window.removeEventListener("keydown", collect, { capture: true });
    return typed;
  };
}

/** Replaces the selected text of an input, as typing does. */
function typeInto(input: HTMLInputElement, text: string): void {
  if (text === "") return;
  input.setRangeText(text, input.selectionStart ?? 0, input.selectionEnd ?? 0, "end");
  input.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText", data: text }));
}

const FOCUSABLE = ":is(input:not([type=hidden]), textarea, button, [tabindex]):not(:disabled)";

/** The inspector has `data-inspects`, and each field has `data-member` with its pointer in the entry. */
function findField(id: string, pointer: string): HTMLElement | null {
  const inspector = document.querySelector<HTMLElement>(`[data-inspects="${CSS.escape(id)}"]`);
  for (let at = pointer; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
    const field = inspector?.querySelector<HTMLElement>(`[data-member="${CSS.escape(at)}"]`);
    const found = field?.querySelector<HTMLElement>(FOCUSABLE);
    if (found) return found;
  }
  return inspector?.querySelector<HTMLElement>(`[data-member] ${FOCUSABLE}`) ?? null;
}

/** Without a pointer, focuses the entry's first field. */
export function focusField(id: string, pointer = ""): void {
  focusSoon(
    () => findField(id, pointer),
    (element) => element.scrollIntoView({ block: "nearest" }),
  );
}

/** Focuses the first field of an entry that was just added. What is typed meanwhile replaces its text. */
export function focusNewEntry(id: string): void {
  const stop = collectTyping();
  const started = performance.now();
  const attempt = () => {
    const field = findField(id, "");
    field?.focus();
    if (field === null || document.activeElement !== field) {
      if (performance.now() - started < MAX_WAIT_MS) requestAnimationFrame(attempt);
      else stop();
      return;
    }
    const typed = stop();
    if (field instanceof HTMLInputElement) {
      field.select();
      typeInto(field, typed);
    }
    field.scrollIntoView({ block: "nearest" });
  };
  // React renders the new entry's fields before this, within the same event.
  queueMicrotask(attempt);
}

/** Virtualized lists need to know the height of their rows, `h-13`. */
export const entryRowHeight = () => scaled(52);

/** Focuses the row of an entry or the app, and scrolls to it if necessary. */
export function focusRow(store: EditorStore, id: string): void {
  focusSoon(
    () => {
      const row = findRow(store, id);
      if (row === null) scrollToEntry(store, id);
      return row;
    },
    // A virtualized list positions a new row shortly after rendering it.
    (row) => setTimeout(() => row.scrollIntoView({ block: "nearest" }), 50),
  );
}

/** Focuses the row that is selected in the next frame, after a page-wide shortcut has run. */
export function focusSelectedRow(store: EditorStore): void {
  requestAnimationFrame(() => focusRow(store, store.getState().selection));
}

/** Scrolls to a row without focusing it. */
export function revealRow(store: EditorStore, id: string): void {
  requestAnimationFrame(() => {
    const row = findRow(store, id);
    if (row === null) scrollToEntry(store, id);
    else row.scrollIntoView({ block: "nearest" });
  });
}

/** Rows of entries have `data-entry` and `data-index`. A row that just moved may still have its old index. */
function findRow(store: EditorStore, id: string): HTMLElement | null {
  const index = findEntry(store.getState().outline.entries, id)?.index;
  const atIndex = index === undefined ? "" : `[data-index="${index}"]`;
  return document.querySelector<HTMLElement>(`[data-entry="${CSS.escape(id)}"]${atIndex}`);
}

/** Lists have `data-list`. */
function scrollToEntry(store: EditorStore, id: string): void {
  const entry = findEntry(store.getState().outline.entries, id);
  if (id === APP || entry === undefined) return;
  const list = document.querySelector<HTMLElement>(`[data-list="${entry.kind}"]`);
  if (list === null || list.offsetParent === null) return;
  const middle = list.getBoundingClientRect().top + (entry.index + 0.5) * entryRowHeight();
  if (middle < 0 || middle > window.innerHeight) window.scrollBy({ top: middle - window.innerHeight / 2 });
}

export type ValueColumn = "text" | "value";

/** `h-10`. */
export const valueRowHeight = () => scaled(40);

/** Focuses a cell in the table of values, which has `data-values-of`; its cells have `data-cell`. */
export function focusCell(id: string, index: number, column: ValueColumn): void {
  focusSoon(
    () => {
      const grid = document.querySelector<HTMLElement>(`[data-values-of="${CSS.escape(id)}"]`);
      const cell = grid?.querySelector<HTMLElement>(`[data-cell="${index}/${column}"]`) ?? null;
      if (grid !== null && cell === null) scrollToValue(grid, index);
      // If the focus enters the list at a cell, the list moves it to its first row. It doesn't if it enters at a row.
      cell?.closest<HTMLElement>("[role=row]")?.focus();
      return cell;
    },
    (cell) => {
      if (cell instanceof HTMLInputElement) cell.select();
      cell.scrollIntoView({ block: "nearest" });
    },
  );
}

function scrollToValue(grid: HTMLElement, index: number): void {
  const top = index * valueRowHeight();
  const bottom = top + valueRowHeight() - grid.clientHeight;
  grid.scrollTop = Math.max(bottom, Math.min(top, grid.scrollTop));
}

/**
 * When the focused element disappears, as by a tab's shortcut, an undone add or a merge, moves the focus to the selected
 * row or the open tab. Otherwise it would fall to the top of the page.
 */
export function useKeptFocus(root: RefObject<HTMLElement | null>): void {
  const store = useEditorStore();
  useEffect(() => {
    const { current: editor } = root;
    if (editor === null) return;
    let focused: HTMLElement | undefined;
    let frame = 0;
    const isLost = () => document.activeElement === document.body && focused !== undefined && isGone(focused);
    const onFocus = ({ target }: FocusEvent) => {
      focused = target instanceof HTMLElement && editor.contains(target) ? target : undefined;
    };
    const onChange = () => {
      if (!isLost()) return;
      cancelAnimationFrame(frame);
      // Unless what made the change moves the focus itself.
      frame = requestAnimationFrame(() => isLost() && recoverFocus(store, editor));
    };
    const observer = new MutationObserver(onChange);
    const attributeFilter = ["disabled", "inert", "hidden"];
    observer.observe(editor, { childList: true, subtree: true, attributes: true, attributeFilter });
    document.addEventListener("focusin", onFocus);
    // If a tab has the focus, it moves to the tab that a shortcut opens.
    const unsubscribe = store.subscribe(({ tab }, before) => {
      if (tab !== before.tab && document.activeElement?.getAttribute("role") === "tab")
        requestAnimationFrame(() => selectedTab(editor)?.focus());
    });
    return () => {
      unsubscribe();
      cancelAnimationFrame(frame);
      observer.disconnect();
      document.removeEventListener("focusin", onFocus);
    };
  }, [root, store]);
}

function isGone(element: HTMLElement): boolean {
  return (
    !element.isConnected ||
    element.matches(":disabled") ||
    element.closest("[inert]") !== null ||
    element.getClientRects().length === 0
  );
}

function recoverFocus(store: EditorStore, editor: HTMLElement): void {
  const { tab, selection } = store.getState();
  if (tab === "design") findRow(store, selection)?.focus();
  // The row may be inert or hidden.
  if (document.activeElement === document.body) selectedTab(editor)?.focus();
}

function selectedTab(editor: HTMLElement): HTMLElement | null {
  return editor.querySelector<HTMLElement>("[role=tab][aria-selected=true]");
}
