"use client";

import { useForm, type Control } from "react-hook-form";
import type { JsonEdit } from "@/lib/domain/json-text/edit-text";
import { getMember, type Path } from "@/lib/domain/json-text/json-value";
import { APP, type EditNote } from "../../model/editor-store";
import { findEntry } from "../../model/entry-actions";
import { useEditorStore } from "../../model/use-editor";

/** The members with a simple field. Missing text is empty, and missing switches are off. */
export interface EntryMembers {
  name: string;
  title: string;
  hint: string;
  path: string;
  version: string;
  required: boolean;
  sensitive: boolean;
}

export type TextMember = {
  [Key in keyof EntryMembers]: EntryMembers[Key] extends string ? Key : never;
}[keyof EntryMembers];
export type SwitchMember = Exclude<keyof EntryMembers, TextMember>;

export interface EntryForm {
  /** An entry's id, or `APP`. */
  id: string;
  /** From the manifest, of any type. */
  value: unknown;
  control: Control<EntryMembers>;
}

/** The form follows the manifest when something else changes it: undo, another tab, a merge. */
export function useEntryForm(id: string, value: unknown): EntryForm {
  const text = (member: TextMember) => {
    const written = getMember(value, member);
    return typeof written === "string" ? written : "";
  };
  const { control } = useForm<EntryMembers>({
    values: {
      name: text("name"),
      title: text("title"),
      hint: text("hint"),
      path: text("path"),
      version: text("version"),
      required: getMember(value, "required") === true,
      sensitive: getMember(value, "sensitive") === true,
    },
  });
  return { id, value, control };
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
export function useMemberEdit({ id }: Pick<EntryForm, "id">, member: string, label: string) {
  const edit = useEntryEdit(id);
  return (value: unknown, merges = true) =>
    edit((path) => ({ type: "set", path: [...path, member], value }), {
      what: `Change ${label.toLowerCase()}`,
      merge: merges ? `${id}/${member}` : undefined,
    });
}
