"use client";

import { type RefObject, useEffect } from "react";
import { findRow } from "../design/desk/focus";
import type { EditorStore } from "../model/editor-store";
import { useEditorStore } from "../model/use-editor";

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
    // The focus on a tab goes along when a shortcut opens another one.
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
