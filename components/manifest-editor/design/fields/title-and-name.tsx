"use client";

import { getMember } from "@/lib/domain/json-text/json-value";
import { followTitle } from "@/lib/domain/manifest/outline/follow-text";
import { defaultName } from "@/lib/domain/manifest/outline/new-entry";
import { findEntry } from "../../model/entry-actions";
import { useEditedListing, useEditorStore } from "../../model/use-editor";
import { useEntryEdit, type EntryForm } from "./entry-form";
import { MemberText } from "./member-fields";

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
