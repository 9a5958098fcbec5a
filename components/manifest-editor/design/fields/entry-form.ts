"use client";

import { useForm, type Control } from "react-hook-form";
import type { JsonEdit } from "@/lib/domain/json-text/edit-text";
import { getMember, type Path } from "@/lib/domain/json-text/json-value";
import type { Entry } from "@/lib/domain/manifest/outline/entry";
import { APP, type EditNote } from "../../model/editor-store";
import { useEditor, useEditorStore } from "../../model/use-editor";
import { issuesByEntry, NO_ISSUES } from "../desk/entry-issues";

/** The members that are one field each. What an entry lacks is empty, or off. */
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
  /** As written, of any type. */
  value: unknown;
  control: Control<EntryMembers>;
}

/** The form follows the manifest, whoever changes that: undo, another tab, a merge. */
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

/** Edits what the inspector shows, wherever it stands in the text by now. */
export function useEntryEdit(id: string) {
  const store = useEditorStore();
  return (edit: (path: Path) => JsonEdit | undefined, note: EditNote) => {
    const path = id === APP ? [] : findEntry(store.state().outline.entries, id)?.path;
    const made = path === undefined ? undefined : edit(path);
    if (made !== undefined) store.edit(made, note);
  };
}

/** Writes one member; `undefined` removes it. Keystrokes in one field are undone together. */
export function useMemberEdit({ id }: Pick<EntryForm, "id">, member: string, label: string) {
  const edit = useEntryEdit(id);
  return (value: unknown, merges = true) =>
    edit((path) => ({ type: "set", path: [...path, member], value }), {
      what: `Change ${label.toLowerCase()}`,
      merge: merges ? `${id}/${member}` : undefined,
    });
}

export function useEntryIssues(id: string) {
  return useEditor((state) => issuesByEntry(state).get(id) ?? NO_ISSUES);
}

export function findEntry(entries: readonly Entry[], id: string): Entry | undefined {
  return entries.find((entry) => entry.id === id);
}
