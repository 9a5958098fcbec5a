"use client";

/** A command of the editor. The palette, the shortcuts and their help all use one list of commands. */
import type { LucideIcon } from "lucide-react";
import { type RefObject, useEffect } from "react";
import { isTyping, singleKeys } from "@/components/ui/typing";

export const COMMAND_GROUPS = ["Add", "Edit", "Go to", "File", "Help"] as const;

export interface Command {
  id: string;
  title: string;
  group: (typeof COMMAND_GROUPS)[number];
  icon?: LucideIcon;
  /** The first is shown. `Mod` is Command on a Mac and Control elsewhere. */
  keys?: readonly string[];
  /** The keys also work in text fields. */
  whileTyping?: boolean;
  /** Always available without it. */
  isAvailable?: () => boolean;
  run: () => void;
}

export function isAvailable(command: Command): boolean {
  return command.isAvailable?.() ?? true;
}

export type PressedKeys = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

/** `keys` is such as `Mod+Shift+Z`, `Alt+1`, `F8` or `?`. */
export function matchesKeys(keys: string, event: PressedKeys, isMac: boolean): boolean {
  const parts = keys.split("+");
  const wanted = parts.at(-1) ?? "";
  const has = (modifier: string) => parts.includes(modifier);
  const [mod, other] = isMac ? [event.metaKey, event.ctrlKey] : [event.ctrlKey, event.metaKey];
  if (mod !== has("Mod") || other || event.altKey !== has("Alt")) return false;
  // Some keyboard layouts need Shift for a character such as "?".
  const isPunctuation = wanted.length === 1 && !/[A-Z0-9]/.test(wanted);
  return (isPunctuation || event.shiftKey === has("Shift")) && keyName(event) === wanted;
}

/** The typed letter if it is Latin, otherwise the physical key: Alt changes letters on a Mac. */
function keyName({ key, code }: PressedKeys): string {
  if (/^[a-z0-9]$/i.test(key)) return key.toUpperCase();
  const physical = /^(?:Key|Digit)([A-Z0-9])$/.exec(code)?.[1];
  const isPunctuation = key.length === 1 && key.charCodeAt(0) < 128;
  return physical !== undefined && (!isPunctuation || code.startsWith("Key")) ? physical : key;
}

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
