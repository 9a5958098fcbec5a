/** An action of the editor: the palette, the shortcuts and their sheet all come from one list of these. */

import type { LucideIcon } from "lucide-react";

export const COMMAND_GROUPS = ["Add", "Edit", "Go to", "File", "Help"] as const;
type CommandGroup = (typeof COMMAND_GROUPS)[number];

export interface Command {
  id: string;
  title: string;
  group: CommandGroup;
  icon?: LucideIcon;
  /** The first is shown. `Mod` is Command on a Mac and Control elsewhere. */
  keys?: readonly string[];
  /** Its keys work in text fields too, where they would otherwise type or move. */
  whileTyping?: boolean;
  /** Without it: always. */
  isAvailable?: () => boolean;
  run: () => void;
}

export function isAvailable(command: Command): boolean {
  return command.isAvailable?.() ?? true;
}

/** Which keys an event presses, whatever the keyboard's layout. */

export type PressedKeys = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

/** `keys` such as `Mod+Shift+Z`, `Alt+1`, `F8` or `?`. */
export function matchesKeys(keys: string, event: PressedKeys, isMac: boolean): boolean {
  const parts = keys.split("+");
  const wanted = parts.at(-1) ?? "";
  const has = (modifier: string) => parts.includes(modifier);
  const [mod, other] = isMac ? [event.metaKey, event.ctrlKey] : [event.ctrlKey, event.metaKey];
  if (mod !== has("Mod") || other || event.altKey !== has("Alt")) return false;
  // A sign such as "?" is reached with Shift on some layouts and without it on others.
  const isSign = wanted.length === 1 && !/[A-Z0-9]/.test(wanted);
  return (isSign || event.shiftKey === has("Shift")) && nameOf(event) === wanted;
}

/** The letter as typed where it is a Latin one, else the key's place: Alt changes letters on a Mac, other scripts have others. */
function nameOf({ key, code }: PressedKeys): string {
  if (/^[a-z0-9]$/i.test(key)) return key.toUpperCase();
  const place = /^(?:Key|Digit)([A-Z0-9])$/.exec(code)?.[1];
  const isSign = key.length === 1 && key.charCodeAt(0) < 128;
  return place !== undefined && (!isSign || code.startsWith("Key")) ? place : key;
}
