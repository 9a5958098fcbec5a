"use client";

import { Plus } from "lucide-react";
import { memo, useMemo } from "react";
import { GridList, GridListItem, ListLayout, Virtualizer } from "react-aria-components";
import { Button } from "@/components/ui/button";
import type { EntryKind } from "@/lib/domain/manifest/outline-manifest";
import { entryTitle } from "../entry-actions";
import { wordOf } from "../entry-words";
import { useEditor } from "../use-editor";
import { useDesk } from "./desk";
import { EntryRow } from "./entry-row";
import { focusField } from "./focus";
import { ENTRY_ROW_HEIGHT } from "./focus-row";
import { SECTION_OF } from "./kinds";
import { useAddEntry } from "./use-add-entry";
import { useEntryDrag } from "./use-entry-drag";
import type { RowEntry } from "./use-entry-rows";

interface EntryListProps {
  kind: EntryKind;
  rows: readonly RowEntry[];
}

const LAYOUT = { rowSize: ENTRY_ROW_HEIGHT };

/** Of a long list only the rows in sight are drawn: a hundred would make each press and each step of a drag wait. */
const LONG = 30;

export function EntryList({ kind, rows }: EntryListProps) {
  const list = <EntryGrid kind={kind} rows={rows} />;
  if (rows.length <= LONG) return list;
  return (
    <Virtualizer layout={ListLayout} layoutOptions={LAYOUT}>
      {list}
    </Virtualizer>
  );
}

const EntryGrid = memo(function EntryGrid({ kind, rows }: EntryListProps) {
  const desk = useDesk();
  const selected = useSelected(rows);
  const dragAndDropHooks = useEntryDrag(kind, rows);
  const { title } = SECTION_OF[kind];
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
        // Merely passing through with Tab selects nothing.
        if (typeof key === "string" && desk.lastKey.current !== "Tab") desk.pick(key);
      }}
      onAction={(key) => {
        desk.open(String(key));
        if (desk.lastKey.current === "Enter") focusField(String(key));
      }}
      dragAndDropHooks={dragAndDropHooks}
      renderEmptyState={({ isDropTarget }) => <Empty kind={kind} isDropTarget={isDropTarget} />}
      className={({ isEmpty }) =>
        `rounded-card outline-none ${isEmpty ? "focus-visible:outline-2 focus-visible:outline-accent-text" : "overflow-clip border border-line bg-surface shadow-low"}`
      }
    >
      {(row) => (
        <GridListItem
          id={row.id}
          textValue={entryTitle(row)}
          data-entry={row.id}
          data-index={row.index}
          className={({ isSelected, isDragging, isFocusVisible }) =>
            `group flex h-13 cursor-default scroll-my-24 items-center gap-2 pr-2 pl-1.5 outline-none ${row.index === 0 ? "" : "border-t border-line"} ${isSelected ? "bg-accent-soft" : "hover:bg-hover"} ${isDragging ? "opacity-50" : ""} ${isFocusVisible ? "outline-2 -outline-offset-2 outline-accent-text" : ""}`
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

/** Where the first one is dropped, or added by a press. */
function Empty({ kind, isDropTarget }: { kind: EntryKind; isDropTarget: boolean }) {
  const add = useAddEntry();
  return (
    <div
      className={`flex min-h-11 items-center gap-3 rounded-card border border-dashed py-1 pr-2 pl-4 text-[13px] ${isDropTarget ? "border-accent-text bg-accent-soft text-accent-text" : "border-line text-ink-faint"}`}
    >
      <p className="min-w-0 flex-1">{isDropTarget ? "Drop here" : SECTION_OF[kind].empty}</p>
      {kind !== "setting" && (
        <Button
          tone="quiet"
          size="small"
          className="h-7 px-2"
          aria-label={`Add the first ${wordOf(kind)}`}
          onPress={() => add(kind)}
        >
          <Plus aria-hidden className="size-3.5" />
          Add
        </Button>
      )}
    </div>
  );
}
