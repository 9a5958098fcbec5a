"use client";

import { ArrowDown, ArrowDownToLine, ArrowUp, ArrowUpToLine, Copy, Ellipsis, Trash2 } from "lucide-react";
import { Button } from "react-aria-components";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu";
import type { Entry, EntryKind } from "@/lib/domain/manifest/outline/entry";
import { APP } from "../../model/editor-store";
import { duplicateEntry, moveEntries, moveEntryBy, removeEntry } from "../../model/entry-actions";
import { useEditorStore } from "../../model/use-editor";
import { useDesk } from "./desk";
import { focusRow } from "./focus";

interface EntryMenuProps {
  id: string;
  kind: EntryKind;
  title: string;
}

/** What can be done to an entry, by any means of input. */
export function EntryMenu({ id, kind, title }: EntryMenuProps) {
  const trigger = (
    <Button
      aria-label={`Actions for ${title}`}
      className="flex size-8 shrink-0 cursor-pointer items-center justify-center rounded-field text-ink-faint hover:bg-hover hover:text-ink focus-visible:outline-2 focus-visible:outline-accent-text expanded:bg-hover expanded:text-ink"
    >
      <Ellipsis aria-hidden className="size-4" />
    </Button>
  );
  return (
    <Menu trigger={trigger} label={`Actions for ${title}`}>
      <EntryMenuItems id={id} kind={kind} />
    </Menu>
  );
}

/** Stands only while the menu is open, so it looks up where the entry is. */
function EntryMenuItems({ id, kind }: Pick<EntryMenuProps, "id" | "kind">) {
  const store = useEditorStore();
  const desk = useDesk();
  const family = store.state().outline.entries.filter((entry) => entry.kind === kind);
  const entry = family.find((each) => each.id === id);
  if (entry === undefined) return null;
  const isFirst = entry.index === 0;
  const isLast = entry.index === family.length - 1;
  const run = (action: (entry: Entry) => void) => () => {
    action(entry);
    const { selection, outline } = store.state();
    const left = outline.entries.filter((each) => each.kind === kind);
    const neighbour = left[entry.index] ?? left.at(-1);
    const isGone = left.every((each) => each.id !== id);
    if (isGone) desk.close();
    const goal = action === duplicate ? selection : isGone ? (neighbour?.id ?? APP) : id;
    // The closing menu gives the focus back to its button, which may be gone or elsewhere: the row comes after that.
    setTimeout(() => focusRow(store, goal), 60);
  };
  const duplicate = (each: Entry) => duplicateEntry(store, each);
  const moveTo = (to: number) => run((each) => moveEntries(store, kind, [each.index], to));
  return (
    <>
      <MenuItem
        icon={ArrowUp}
        keys="Alt+ArrowUp"
        isDisabled={isFirst}
        onAction={run((each) => moveEntryBy(store, each, -1))}
      >
        Move up
      </MenuItem>
      <MenuItem
        icon={ArrowDown}
        keys="Alt+ArrowDown"
        isDisabled={isLast}
        onAction={run((each) => moveEntryBy(store, each, 1))}
      >
        Move down
      </MenuItem>
      <MenuItem icon={ArrowUpToLine} isDisabled={isFirst} onAction={moveTo(0)}>
        Move to top
      </MenuItem>
      <MenuItem icon={ArrowDownToLine} isDisabled={isLast} onAction={moveTo(family.length)}>
        Move to bottom
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={Copy} isDisabled={kind === "lifecycle"} onAction={run(duplicate)}>
        Duplicate
      </MenuItem>
      <MenuItem icon={Trash2} tone="danger" onAction={run((each) => removeEntry(store, each))}>
        Delete
      </MenuItem>
    </>
  );
}
