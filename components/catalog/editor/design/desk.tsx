"use client";

import {
  ArrowDown,
  ArrowDownToLine,
  ArrowUp,
  ArrowUpToLine,
  Copy,
  Ellipsis,
  type LucideIcon,
  Trash2,
} from "lucide-react";
import { createContext, type ReactNode, type RefObject, use } from "react";
import { Button } from "react-aria-components";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/collections";
import type { Entry, EntryKind } from "@/lib/domain/catalog/manifest/entry";
import { APP, useEditorStore } from "../model/editor-store";
import { duplicateEntry, moveEntries, removeEntry } from "../model/entry-actions";
import { focusRow } from "../model/focus";

/** Shared by the palette, the list and the inspector, in addition to the store. */
export interface Desk {
  /** Selects an entry; opens it too if a pointer was used. */
  pick: (id: string) => void;
  /** Selects an entry or the app. On narrow pages, shows the inspector instead of the list. */
  open: (id: string) => void;
  /** Returns to the entry's row in the list. */
  close: () => void;
  /** The last pressed key; empty after a pointer event. */
  lastKey: RefObject<string>;
}

const DeskContext = createContext<Desk | undefined>(undefined);
export const DeskProvider = DeskContext;

export function useDesk(): Desk {
  const desk = use(DeskContext);
  if (desk === undefined) throw new Error("DeskProvider is missing");
  return desk;
}

/** A closing menu returns the focus to its button; wait for that before moving it elsewhere. */
export const AFTER_CLOSE_MS = 60;

interface RowMenuProps {
  label: string;
  size?: "size-7" | "size-8";
  children: ReactNode;
}

export function RowMenu({ label, size = "size-8", children }: RowMenuProps) {
  const trigger = (
    <Button
      aria-label={label}
      className={`flex ${size} shrink-0 cursor-pointer items-center justify-center rounded-field text-ink-faint hover:bg-hover hover:text-ink focus-visible:-outline-offset-2 expanded:bg-hover expanded:text-ink`}
    >
      <Ellipsis aria-hidden className="size-4" />
    </Button>
  );
  return (
    <Menu trigger={trigger} label={label}>
      {children}
    </Menu>
  );
}

interface MoveItemsProps {
  index: number;
  count: number;
  keys?: { up: string; down: string };
  /** `to` is the index of the row to move before; it may be one past the last. */
  onMove: (to: number) => void;
}

export function MoveItems({ index, count, keys, onMove }: MoveItemsProps) {
  const items: [title: string, icon: LucideIcon, to: number, keys?: string][] = [
    ["Move up", ArrowUp, index - 1, keys?.up],
    ["Move down", ArrowDown, index + 2, keys?.down],
    ["Move to top", ArrowUpToLine, 0],
    ["Move to bottom", ArrowDownToLine, count],
  ];
  return items.map(([title, icon, to, keys]) => (
    <MenuItem
      key={title}
      icon={icon}
      keys={keys}
      isDisabled={to <= index ? index === 0 : index === count - 1}
      onAction={() => onMove(to)}
    >
      {title}
    </MenuItem>
  ));
}

export function EntryMenu({ id, kind, title }: { id: string; kind: EntryKind; title: string }) {
  return (
    <RowMenu label={`Actions for ${title}`}>
      <EntryMenuItems id={id} kind={kind} />
    </RowMenu>
  );
}

/** Mounted only while the menu is open, so it reads the entry's current position. */
function EntryMenuItems({ id, kind }: { id: string; kind: EntryKind }) {
  const store = useEditorStore();
  const desk = useDesk();
  const siblings = () => store.getState().outline.entries.filter((entry) => entry.kind === kind);
  const entry = siblings().find((each) => each.id === id);
  if (entry === undefined) return null;
  const focusSoon = (goal: string) => setTimeout(() => focusRow(store, goal), AFTER_CLOSE_MS);
  const remove = (removed: Entry) => {
    removeEntry(store, removed);
    desk.close();
    const left = siblings();
    focusSoon((left[removed.index] ?? left.at(-1))?.id ?? APP);
  };
  return (
    <>
      <MoveItems
        index={entry.index}
        count={siblings().length}
        keys={{ up: "Alt+ArrowUp", down: "Alt+ArrowDown" }}
        onMove={(to) => {
          moveEntries(store, kind, [entry.index], to);
          focusSoon(id);
        }}
      />
      <MenuSeparator />
      <MenuItem
        icon={Copy}
        isDisabled={kind === "lifecycle"}
        onAction={() => {
          duplicateEntry(store, entry);
          focusSoon(store.getState().selection);
        }}
      >
        Duplicate
      </MenuItem>
      <MenuItem icon={Trash2} tone="danger" onAction={() => remove(entry)}>
        Delete
      </MenuItem>
    </>
  );
}
