/** An action of the editor: the palette, the shortcuts and their sheet all come from one list of these. */
import type { LucideIcon } from "lucide-react";

export const COMMAND_GROUPS = ["Add", "Edit", "Go to", "File", "Help"] as const;
export type CommandGroup = (typeof COMMAND_GROUPS)[number];

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
