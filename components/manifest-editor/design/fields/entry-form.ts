"use client";

import type { JsonEdit } from "@/lib/domain/json-text/edit-text";
import type { Path } from "@/lib/domain/json-text/json-value";
import { APP, type EditNote } from "../../model/editor-store";
import { findEntry } from "../../model/entry-actions";
import { useEditorStore } from "../../model/use-editor";

/** The members with a simple field. Missing text is empty, and missing switches are off. */
export type TextMember = "name" | "title" | "hint" | "path" | "version";
export type SwitchMember = "required" | "sensitive" | "configurationCheck";

export interface EntryForm {
  /** An entry's id, or `APP`. */
  id: string;
  /** From the manifest, of any type. */
  value: unknown;
  /** Where `value` is in the entry; the entry itself by default. */
  within?: Path;
}

/** Returns a function that edits the entry at its current path. */
export function useEntryEdit(id: string) {
  const store = useEditorStore();
  return (createEdit: (path: Path) => JsonEdit | undefined, note: EditNote) => {
    const path = id === APP ? [] : findEntry(store.getState().outline.entries, id)?.path;
    const edit = path === undefined ? undefined : createEdit(path);
    if (edit !== undefined) store.edit(edit, note);
  };
}

/** Returns a function that sets a member; `undefined` removes it. Keystrokes in one field are undone together. */
export function useMemberEdit(
  { id, within = [] }: Pick<EntryForm, "id" | "within">,
  member: string,
  label: string,
) {
  const edit = useEntryEdit(id);
  return (value: unknown, merges = true) =>
    edit((path) => ({ type: "set", path: [...path, ...within, member], value }), {
      what: `Change ${label.toLowerCase()}`,
      merge: merges ? `${id}/${member}` : undefined,
    });
}
