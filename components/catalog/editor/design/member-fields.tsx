"use client";

import { type ReactNode, useRef } from "react";
import { TextArea, TextField } from "@/components/ui/forms/fields";
import { Switch } from "@/components/ui/forms/toggles";
import { pointerTo } from "@/lib/contract/platform/problem";
import { defaultName, followTitle } from "@/lib/domain/catalog/manifest/entry";
import type { JsonEdit } from "@/lib/domain/platform/json-text/edit-text";
import { getMember, type Path } from "@/lib/domain/platform/json-text/json-value";
import { APP, type EditNote, useEditedListing, useEditorStore } from "../model/editor-store";
import { findEntry } from "../model/entry-actions";
import { getNotes, UnsupportedValue, useEntryIssues } from "./entry-issues";

interface TitleAndNameProps {
  form: EntryForm;
  hint: string;
  /** Shown once the app was published with the name. */
  publishedHint?: string;
}

/** A name that nobody edited follows its title, until the app is published with it. */
export function TitleAndName({ form, hint, publishedHint = hint }: TitleAndNameProps) {
  const store = useEditorStore();
  const edit = useEntryEdit(form.id);
  const { published } = useEditedListing();
  const findName = (title: string) => {
    const { entries } = store.getState().outline;
    const entry = findEntry(entries, form.id);
    if (entry === undefined || isPublished(entry.kind, entry.value)) return undefined;
    const others = entries.filter(({ id, kind }) => id !== entry.id && kind === entry.kind);
    const current = { name: getMember(entry.value, "name"), title: getMember(entry.value, "title") };
    const taken = others.map(({ value }) => getMember(value, "name"));
    return followTitle(current, title, defaultName(entry), taken);
  };
  const isPublished = (kind: string, value: unknown) =>
    (kind === "setting" || kind === "mapping") &&
    published?.names?.[kind].some((name) => name === getMember(value, "name")) === true;
  const kind = findEntry(store.getState().outline.entries, form.id)?.kind ?? "";
  const title = getMember(form.value, "title");
  const follows = findName(typeof title === "string" ? title : "") !== undefined;
  return (
    <>
      <MemberText
        form={form}
        member="title"
        label="Title"
        isRequired
        hint="Shown to customers."
        onWrite={(text) => {
          const name = findName(text);
          const members = name === undefined ? { title: text } : { title: text, name };
          edit((path) => ({ type: "assign", path, members }), {
            what: "Change title",
            merge: `${form.id}/title`,
          });
        }}
      />
      <MemberText
        form={form}
        member="name"
        label="Name"
        isRequired
        mono
        hint={
          isPublished(kind, form.value)
            ? publishedHint
            : follows
              ? `${hint} It follows the title until you change it.`
              : hint
        }
      />
    </>
  );
}

interface MemberTextProps {
  form: EntryForm;
  member: TextMember;
  label: string;
  hint?: ReactNode;
  isRequired?: boolean;
  mono?: boolean;
  isLong?: boolean;
  placeholder?: string;
  /** Writes the text in place of the default, which sets the member. */
  onWrite?: (text: string) => void;
}

/** Writes each keystroke at once. Clearing an optional member removes it. */
export function MemberText(props: MemberTextProps) {
  const { form, member, label, hint, isRequired = false, mono, isLong = false, placeholder, onWrite } = props;
  const issues = useEntryIssues(form.id);
  const write = useMemberEdit(form, member, label);
  const written = getMember(form.value, member);
  const pointer = `/${member}`;
  if (written !== undefined && typeof written !== "string") {
    return <UnsupportedValue id={form.id} pointer={pointer} label={label} value={written} issues={issues} />;
  }
  const fieldProps = { label, isRequired, mono, placeholder, ...getNotes(issues, pointer, hint) };
  const field = {
    ...fieldProps,
    name: member,
    value: written ?? "",
    onChange: onWrite ?? ((text: string) => write(text === "" && !isRequired ? undefined : text)),
  };
  return (
    <div data-member={pointer}>
      {isLong ? <TextArea {...field} rows={2} /> : <TextField {...field} autoComplete="off" />}
    </div>
  );
}

interface MemberSwitchProps {
  form: EntryForm;
  member: SwitchMember;
  label: string;
  hint: string;
}

/** Turning a switch off removes the member, unless `false` was written before. */
export function MemberSwitch({ form, member, label, hint }: MemberSwitchProps) {
  const issues = useEntryIssues(form.id);
  const write = useMemberEdit(form, member, label);
  const written = getMember(form.value, member);
  const writesFalse = useRef(false);
  const pointer = pointerTo(...(form.within ?? []), member);
  if (written !== undefined && typeof written !== "boolean") {
    return <UnsupportedValue id={form.id} pointer={pointer} label={label} value={written} issues={issues} />;
  }
  const notes = getNotes(issues, pointer, hint);
  return (
    <div data-member={pointer}>
      <Switch
        name={member}
        value={written === true}
        hint={notes.hint}
        onChange={(isOn) => {
          if (written === false) writesFalse.current = true;
          write(isOn ? true : writesFalse.current ? false : undefined, false);
        }}
      >
        {label}
      </Switch>
    </div>
  );
}

/** The members with a simple field. Missing text is empty, and missing switches are off. */
type TextMember = "name" | "title" | "hint" | "path" | "version" | "purpose" | "host";
type SwitchMember = "required" | "sensitive" | "configurationCheck" | "optional";

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
