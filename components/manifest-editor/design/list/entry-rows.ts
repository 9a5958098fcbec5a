"use client";

import { useState } from "react";
import type { Entry, EntryKind } from "@/lib/domain/manifest/outline/entry";
import type { EditorState } from "../../model/editor-store";
import { useEditor } from "../../model/use-editor";

/** What a row shows of an entry. The same object until one of these members changes. */
export type RowEntry = Pick<Entry, "id" | "kind" | "index" | "value">;

/** Typing in one entry changes no other row, although the offsets of all following entries change. */
export function useEntryRows(kind: EntryKind): readonly RowEntry[] {
  const [select] = useState(() => createRowSelector(kind));
  return useEditor(select);
}

function createRowSelector(kind: EntryKind) {
  let seen: readonly Entry[] | undefined;
  let rows: readonly RowEntry[] = [];
  return ({ outline }: EditorState) => {
    if (outline.entries === seen) return rows;
    seen = outline.entries;
    const before = new Map(rows.map((row) => [row.id, row]));
    const next = seen
      .filter((entry) => entry.kind === kind)
      .map((entry) => reuseRow(before.get(entry.id), entry));
    const isSame = next.length === rows.length && next.every((row, index) => row === rows[index]);
    if (!isSame) rows = next;
    return rows;
  };
}

function reuseRow(row: RowEntry | undefined, { id, kind, index, value }: Entry): RowEntry {
  return row?.index === index && Object.is(row.value, value) ? row : { id, kind, index, value };
}
