"use client";

import { useStore } from "zustand";
import { ShortcutDialog } from "@/components/ui/forms/shortcut-dialog";
import { shortcutList } from "@/components/ui/page-shortcuts";

const GROUPS = [
  {
    title: "Everywhere",
    rows: [
      { what: "Search", keys: ["Mod+K"] },
      { what: "This list", keys: ["?"] },
      { what: "Close a dialog or menu", keys: ["Esc"] },
    ],
  },
  {
    title: "In the search, and in menus",
    rows: [
      { what: "Choose", keys: ["ArrowUp", "ArrowDown"] },
      { what: "Open", keys: ["Enter"] },
    ],
  },
  { title: "In the documentation", rows: [{ what: "Search the documentation", keys: ["/"] }] },
] as const;

interface ShortcutListProps {
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The shortcuts of the open page, then those of every page. The manifest editor has a list of its own. */
export function ShortcutList(props: ShortcutListProps) {
  const added = useStore(shortcutList, (state) => state.added);
  return (
    <ShortcutDialog {...props} groups={added === undefined ? GROUPS : [added, ...GROUPS]}>
      <p className="text-small leading-5 text-ink-faint">
        The manifest editor has more. Press ? in the editor to see them.
      </p>
    </ShortcutDialog>
  );
}
