"use client";

import { CornerDownRight } from "lucide-react";
import { Autocomplete, MenuItem, Text } from "react-aria-components";
import { menuItemStyles, MenuSearch } from "@/components/ui/collections";
import { PaletteDialog, PaletteMenu } from "@/components/ui/palette";
import { Shortcut } from "@/components/ui/shortcut";
import { hasTypedWords } from "@/lib/domain/platform/text";
import { type Command, COMMAND_GROUPS, isAvailable } from "./command";
import { openCommands } from "./editor-commands";
import { useEditorStore } from "./model/editor-store";

interface CommandPaletteProps {
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
  commands: readonly Command[];
}

/** Searches all commands and entries. */
export function CommandPalette({ isOpen, onOpenChange, commands }: CommandPaletteProps) {
  return (
    <PaletteDialog label="Command palette" isOpen={isOpen} onOpenChange={onOpenChange}>
      <Palette commands={commands} close={() => onOpenChange(false)} />
    </PaletteDialog>
  );
}

/** Mounted only while the palette is open, so it reads what is available each time. */
function Palette({ commands, close }: { commands: readonly Command[]; close: () => void }) {
  const store = useEditorStore();
  const available = commands.filter((command) => command.id !== "palette" && isAvailable(command));
  const sections = [
    ...COMMAND_GROUPS.map((group) => ({
      title: group,
      items: available.filter((command) => command.group === group),
    })),
    { title: "Entries", items: openCommands(store) },
  ].filter(({ items }) => items.length > 0);
  const run = (command: Command) => {
    close();
    // After the closing dialog has returned the focus, because the command may move it.
    setTimeout(() => command.run(), 60);
  };
  return (
    <Autocomplete filter={hasTypedWords}>
      <MenuSearch label="Search commands and entries" />
      <PaletteMenu
        label="Commands and entries"
        sections={sections}
        onAction={run}
        empty={<p className="px-4 py-8 text-center text-small text-ink-faint">No matches</p>}
      >
        {(command) => <PaletteItem command={command} />}
      </PaletteMenu>
    </Autocomplete>
  );
}

function PaletteItem({ command: { id, title, icon: Icon = CornerDownRight, keys } }: { command: Command }) {
  return (
    <MenuItem id={id} textValue={title} className={menuItemStyles()}>
      <Icon aria-hidden className="size-4 shrink-0 opacity-70" />
      <Text slot="label" className="min-w-0 flex-1 truncate">
        {title}
      </Text>
      {keys?.[0] !== undefined && <Shortcut keys={keys[0]} />}
    </MenuItem>
  );
}
