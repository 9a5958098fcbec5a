"use client";

import { type RefObject, useEffect } from "react";
import { type Command, isAvailable, matchesKeys } from "./command";

/** Inputs that hold no text: keys type nothing there. */
const NO_TEXT = new Set(["checkbox", "radio", "button", "submit", "reset", "range", "file", "color"]);

/**
 * The commands' keys, wherever the focus is in `root`, before anything below sees them: the browser's own undo would fight
 * with ours over inputs that React writes. Dialogs and menus stand outside of `root` and keep their keys.
 */
export function useShortcuts(root: RefObject<HTMLElement | null>, commands: readonly Command[]): void {
  useEffect(() => {
    const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
    // Around the editor is where the focus goes when nothing has it.
    const isHere = ({ target }: Event) =>
      target instanceof Node &&
      root.current !== null &&
      (root.current.contains(target) || target.contains(root.current));
    const pressed = (event: KeyboardEvent) => {
      if (event.isComposing || !isHere(event)) return;
      const command = commands.find(({ keys = [] }) => keys.some((each) => matchesKeys(each, event, isMac)));
      if (command === undefined) return;
      const isSingle = !event.ctrlKey && !event.metaKey && !event.altKey && event.key.length === 1;
      if (isSingle && !areSingleKeysOn()) return;
      if (command.whileTyping !== true && isTyping(event.target)) return;
      // Also when there is nothing to do: the browser's own undo must not begin where ours ends.
      event.preventDefault();
      event.stopPropagation();
      if (isAvailable(command)) command.run();
    };
    // Undo by the browser's menu, or by shaking a phone.
    const input = (event: InputEvent) => {
      const id = { historyUndo: "undo", historyRedo: "redo" }[event.inputType];
      const command = commands.find((each) => each.id === id);
      if (command === undefined || !isHere(event)) return;
      event.preventDefault();
      if (isAvailable(command)) command.run();
    };
    document.addEventListener("keydown", pressed, { capture: true });
    document.addEventListener("beforeinput", input, { capture: true });
    return () => {
      document.removeEventListener("keydown", pressed, { capture: true });
      document.removeEventListener("beforeinput", input, { capture: true });
    };
  }, [root, commands]);
}

function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !NO_TEXT.has(target.type);
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLElement && target.isContentEditable);
}

/** Shortcuts of one sign, such as `?`, can be switched off: who speaks to the computer would set them off unawares (WCAG 2.1.4). */
const KEY = "manifest-single-keys";
const listeners = new Set<() => void>();
/** For browsers without storage. */
let switchedOff = false;

export function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== "off";
  } catch {
    return !switchedOff;
  }
}

export function switchSingleKeys(on: boolean): void {
  switchedOff = !on;
  try {
    if (on) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, "off");
  } catch {
    // Then it holds as long as the page.
  }
  for (const listener of listeners) listener();
}

export function onSingleKeys(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
