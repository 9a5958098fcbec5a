"use client";

import { useDeferredValue, type KeyboardEvent } from "react";
import type { EntryKind } from "@/lib/domain/manifest/outline-manifest";
import { removeEntry } from "../entry-actions";
import { useEditorStore } from "../use-editor";
import { findEntry } from "./entry-form";
import { EntryList } from "./entry-list";
import { focusRow, focusSelectedRow } from "./focus-row";
import { SECTION_OF } from "./kinds";
import { useEntryRows } from "./use-entry-rows";

/** With a modifier, these move, delete or duplicate what is selected. */
const SHORTCUTS = new Set(["ArrowUp", "ArrowDown", "Backspace", "d"]);

/** The entries of one kind: a list that is reordered within itself and takes what the palette has of its kind. */
export function EntrySection({ kind }: { kind: EntryKind }) {
  const store = useEditorStore();
  const rows = useEntryRows(kind);
  // While somebody types in the inspector the list may follow a moment later.
  const listed = useDeferredValue(rows);
  const { title, line } = SECTION_OF[kind];

  /** What acts on the selection, by shortcuts of the whole page, acts on the row that has the focus. */
  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const id = event.target instanceof HTMLElement ? event.target.dataset.entry : undefined;
    const entry = id === undefined ? undefined : findEntry(store.state().outline.entries, id);
    if (entry === undefined) return;
    const hasModifier = event.altKey || event.ctrlKey || event.metaKey;
    if (hasModifier && SHORTCUTS.has(event.key)) {
      if (entry.id !== store.state().selection) store.select(entry.id);
      focusSelectedRow(store);
    }
    if (event.key !== "Delete" || hasModifier) return;
    store.select(entry.id);
    removeEntry(store, entry);
    focusRow(store, store.state().selection);
  }

  return (
    <section
      aria-label={title}
      className={rows.length === 0 && kind !== "setting" ? "hidden @min-[600px]/desk:block" : ""}
      onKeyDownCapture={onKeyDown}
    >
      <h2 className="flex items-baseline gap-2 pb-1.5 text-[13px] font-medium text-ink">
        {title}
        {rows.length > 0 && <span className="text-xs font-normal text-ink-faint">{rows.length}</span>}
        <span className="ml-auto hidden truncate pl-4 text-xs font-normal text-ink-faint @min-[1040px]/desk:block">
          {line}
        </span>
      </h2>
      <EntryList kind={kind} rows={listed} />
    </section>
  );
}
