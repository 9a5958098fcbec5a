"use client";

import { ShortcutDialog } from "@/components/ui/forms/shortcut-dialog";
import { type Command, COMMAND_GROUPS } from "./command";

interface ShortcutSheetProps {
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
  commands: readonly Command[];
}

export function ShortcutSheet({ commands, ...shown }: ShortcutSheetProps) {
  const groups = COMMAND_GROUPS.map((title) => ({
    title,
    rows: commands.flatMap(({ group, title: what, keys }) =>
      group === title && keys !== undefined ? [{ what, keys }] : [],
    ),
  })).filter(({ rows }) => rows.length > 0);
  return <ShortcutDialog {...shown} groups={groups} isLong />;
}
