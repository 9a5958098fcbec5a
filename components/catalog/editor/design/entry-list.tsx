"use client";

import { Plus } from "lucide-react";
import { type KeyboardEvent, memo, useDeferredValue, useMemo } from "react";
import { GridList, GridListItem } from "react-aria-components";
import { Button } from "@/components/ui/button";
import { TouchOrder } from "@/components/ui/touch-order";
import { type EntryKind, newPage } from "@/lib/domain/catalog/manifest/entry";
import { useEditor, useEditorStore } from "../model/editor-store";
import { entryTitle, findEntry, moveEntries, removeEntry } from "../model/entry-actions";
import { entryRowHeight, focusField, focusRow, focusSelectedRow } from "../model/focus";
import { nameEntry } from "../model/entry-labels";
import { SECTION_LABELS } from "../model/labels";
import { useDesk } from "./desk";
import { EntryRow, type RowEntry, useEntryDrag, useEntryRows } from "./entry-rows";
import { useAddEntry } from "./palette";
import { VirtualList } from "./virtual-list";

/** With a modifier, these keys move, delete or duplicate the selection. */
const SHORTCUT_KEYS = new Set(["ArrowUp", "ArrowDown", "Backspace", "d"]);

/** The entries of one kind, with a heading. */
export function EntrySection({ kind }: { kind: EntryKind }) {
  const store = useEditorStore();
  const rows = useEntryRows(kind);
  // Typing in the inspector must not wait for the list.
  const listed = useDeferredValue(rows);
  const { title, description } = SECTION_LABELS[kind];

  /** Page-wide shortcuts act on the selection, so the focused row is selected first. */
  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const id = event.target instanceof HTMLElement ? event.target.dataset.entry : undefined;
    const entry = id === undefined ? undefined : findEntry(store.getState().outline.entries, id);
    if (entry === undefined) return;
    const hasModifier = event.altKey || event.ctrlKey || event.metaKey;
    if (hasModifier && SHORTCUT_KEYS.has(event.key)) {
      if (entry.id !== store.getState().selection) store.select(entry.id);
      focusSelectedRow(store);
    }
    if (event.key !== "Delete" || hasModifier) return;
    store.select(entry.id);
    removeEntry(store, entry);
    focusRow(store, store.getState().selection);
  }

  return (
    <section
      aria-label={title}
      className={rows.length === 0 && kind !== "setting" ? "hidden @min-[37.5rem]/desk:block" : ""}
      onKeyDownCapture={onKeyDown}
    >
      <h2 className="flex items-baseline gap-2 pb-1.5 text-small font-medium text-ink">
        {title}
        {rows.length > 0 && <span className="text-xs font-normal text-ink-faint">{rows.length}</span>}
        <span className="ml-auto hidden truncate pl-4 text-xs font-normal text-ink-faint @min-[65rem]/desk:block">
          {description}
        </span>
      </h2>
      <EntryList kind={kind} rows={listed} />
    </section>
  );
}

interface EntryListProps {
  kind: EntryKind;
  rows: readonly RowEntry[];
}

export function EntryList({ kind, rows }: EntryListProps) {
  const store = useEditorStore();
  const move = (from: number, to: number) => {
    const moved = rows.find(({ index }) => index === from);
    moveEntries(store, kind, [from], to);
    if (moved !== undefined) focusRow(store, moved.id);
  };
  return (
    <TouchOrder onMove={move}>
      <VirtualList count={rows.length} rowSize={entryRowHeight()} height={rows.length * entryRowHeight()}>
        <EntryGrid kind={kind} rows={rows} />
      </VirtualList>
    </TouchOrder>
  );
}

const EntryGrid = memo(function EntryGrid({ kind, rows }: EntryListProps) {
  const desk = useDesk();
  const selected = useSelected(rows);
  const dragAndDropHooks = useEntryDrag(kind, rows);
  const { title } = SECTION_LABELS[kind];
  return (
    <GridList
      aria-label={title}
      data-list={kind}
      items={rows}
      selectionMode="single"
      selectionBehavior="replace"
      disallowEmptySelection
      selectedKeys={selected}
      onSelectionChange={(keys) => {
        const [key] = keys === "all" ? [] : keys;
        // Tabbing through the list selects nothing.
        if (typeof key === "string" && desk.lastKey.current !== "Tab") desk.pick(key);
      }}
      onAction={(key) => {
        desk.open(String(key));
        if (desk.lastKey.current === "Enter") focusField(String(key));
      }}
      dragAndDropHooks={dragAndDropHooks}
      renderEmptyState={({ isDropTarget }) => <Empty kind={kind} isDropTarget={isDropTarget} />}
      className={({ isEmpty }) =>
        `rounded-card ${isEmpty ? "" : "overflow-clip border border-line bg-surface shadow-low"}`
      }
    >
      {(row) => (
        <GridListItem
          id={row.id}
          textValue={entryTitle(row)}
          data-entry={row.id}
          data-index={row.index}
          className={({ isSelected, isDragging }) =>
            `group flex h-13 cursor-default scroll-my-24 items-center gap-2 pr-2 pl-1.5 ${row.index === 0 ? "" : "border-t border-line"} ${isSelected ? "bg-accent-soft" : "hover:bg-hover"} ${isDragging ? "opacity-50" : ""} focus-visible:-outline-offset-2`
          }
        >
          <EntryRow row={row} />
        </GridListItem>
      )}
    </GridList>
  );
});

function useSelected(rows: readonly RowEntry[]): ReadonlySet<string> {
  const selected = useEditor(({ selection }) =>
    rows.some(({ id }) => id === selection) ? selection : undefined,
  );
  return useMemo(() => new Set(selected === undefined ? [] : [selected]), [selected]);
}

/** An empty list of permissions or hosts allows none, a missing one more. */
function NoEntries({ kind }: { kind: EntryKind }) {
  const { listsPermissions, listsHosts } = useEditor(({ outline }) => outline);
  if (kind === "permission" && listsPermissions) return "No permissions";
  if (kind === "host" && listsHosts) return "No hosts: the app connects only to the core";
  return SECTION_LABELS[kind].empty;
}

/** The drop target of an empty list. */
function Empty({ kind, isDropTarget }: { kind: EntryKind; isDropTarget: boolean }) {
  const add = useAddEntry();
  return (
    <div
      className={`flex min-h-11 items-center gap-3 rounded-card border border-dashed py-1 pr-2 pl-4 text-small ${isDropTarget ? "border-accent-text bg-accent-soft text-accent-text" : "border-line text-ink-faint"}`}
    >
      <p className="min-w-0 flex-1">{isDropTarget ? "Drop here" : <NoEntries kind={kind} />}</p>
      {kind === "endpoint" && (
        <Button tone="quiet" size="small" className="h-7 px-2" onPress={() => add(kind, newPage)}>
          <Plus aria-hidden className="size-3.5" />
          Add a page
        </Button>
      )}
      {kind !== "setting" && (
        <Button
          tone="quiet"
          size="small"
          className="h-7 px-2"
          aria-label={`Add the first ${nameEntry(kind)}`}
          onPress={() => add(kind)}
        >
          <Plus aria-hidden className="size-3.5" />
          Add
        </Button>
      )}
    </div>
  );
}
