/** A command of the editor. The palette, the shortcuts and their help all use one list of commands. */
import type { LucideIcon } from "lucide-react";

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
