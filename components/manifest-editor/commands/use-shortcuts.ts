"use client";

import { useEffect, type RefObject } from "react";
import { createStore } from "zustand/vanilla";
import { isAvailable, matchesKeys, type Command } from "./command";

/** These inputs accept no typed text. */
const NON_TEXT_INPUTS = new Set(["checkbox", "radio", "button", "submit", "reset", "range", "file", "color"]);

/** They keep their keys. */
const OVERLAYS = "[role=dialog], [role=alertdialog], [role=menu], [role=listbox]";

/**
 * Handles the commands' keys on the whole page, before any other listener: the browser's undo conflicts with inputs that
 * React controls. Dialogs, menus and text fields outside `root` keep their keys.
 */
export function useShortcuts(root: RefObject<HTMLElement | null>, commands: readonly Command[]): void {
  useEffect(() => {
    const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
    const isForEditor = ({ target }: Event) => {
      if (!(target instanceof Element) || root.current === null) return false;
      return root.current.contains(target) || (target.closest(OVERLAYS) === null && !isTyping(target));
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.isComposing || !isForEditor(event)) return;
      const command = commands.find(({ keys = [] }) => keys.some((each) => matchesKeys(each, event, isMac)));
      if (command === undefined) return;
      const isSingleKey = !event.ctrlKey && !event.metaKey && !event.altKey && event.key.length === 1;
      if (isSingleKey && !singleKeys.getState().isOn) return;
      if (command.whileTyping !== true && isTyping(event.target)) return;
      // Even if the command is unavailable: the browser's undo must not continue where ours ends.
      event.preventDefault();
      event.stopPropagation();
      if (isAvailable(command)) command.run();
    };
    // Undo from the browser's menu, or by shaking a phone.
    const onBeforeInput = (event: InputEvent) => {
      const id = { historyUndo: "undo", historyRedo: "redo" }[event.inputType];
      const command = commands.find((each) => each.id === id);
      if (command === undefined || !isForEditor(event)) return;
      event.preventDefault();
      if (isAvailable(command)) command.run();
    };
    document.addEventListener("keydown", onKeyDown, { capture: true });
    document.addEventListener("beforeinput", onBeforeInput, { capture: true });
    return () => {
      document.removeEventListener("keydown", onKeyDown, { capture: true });
      document.removeEventListener("beforeinput", onBeforeInput, { capture: true });
    };
  }, [root, commands]);
}

function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !NON_TEXT_INPUTS.has(target.type);
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLElement && target.isContentEditable);
}

const SINGLE_KEYS = "manifest-single-keys";

/** Single-key shortcuts can be turned off, because speech input triggers them by accident (WCAG 2.1.4). */
export const singleKeys = createStore<{ isOn: boolean }>(() => ({ isOn: readSingleKeys() }));

function readSingleKeys(): boolean {
  try {
    return typeof window === "undefined" || localStorage.getItem(SINGLE_KEYS) !== "off";
  } catch {
    return true;
  }
}

export function setSingleKeys(isOn: boolean): void {
  singleKeys.setState({ isOn });
  try {
    if (isOn) localStorage.removeItem(SINGLE_KEYS);
    else localStorage.setItem(SINGLE_KEYS, "off");
  } catch {
    // Without storage, it lasts until the page is closed.
  }
}
