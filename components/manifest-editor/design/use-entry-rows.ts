"use client";

import { useState } from "react";
import type { Entry, EntryKind } from "@/lib/domain/manifest/outline-manifest";
import type { EditorState } from "../editor-store";
import { useEditor } from "../use-editor";

/** What a row of the list shows of an entry. It stays the same object until one of these changes. */
export type RowEntry = Pick<Entry, "id" | "kind" | "index" | "value">;

/** The entries of one kind. Typing in one entry changes no other row, though all that follow it move in the text. */
export function useEntryRows(kind: EntryKind): readonly RowEntry[] {
  const [select] = useState(() => rowsOf(kind));
  return useEditor(select);
}

function rowsOf(kind: EntryKind) {
  let seen: readonly Entry[] | undefined;
  let rows: readonly RowEntry[] = [];
  return ({ outline }: EditorState) => {
    if (outline.entries === seen) return rows;
    seen = outline.entries;
    const before = new Map(rows.map((row) => [row.id, row]));
    const next = seen
      .filter((entry) => entry.kind === kind)
      .map((entry) => sameRow(before.get(entry.id), entry));
    const isSame = next.length === rows.length && next.every((row, index) => row === rows[index]);
    if (!isSame) rows = next;
    return rows;
  };
}

function sameRow(row: RowEntry | undefined, { id, kind, index, value }: Entry): RowEntry {
  return row !== undefined && row.index === index && Object.is(row.value, value)
    ? row
    : { id, kind, index, value };
}
