"use client";

import { useRef, type ReactNode } from "react";
import { Controller } from "react-hook-form";
import { Switch } from "@/components/ui/toggles";
import { TextArea } from "@/components/ui/text-fields";
import { TextField } from "@/components/ui/text-fields";
import { getMember } from "@/lib/domain/json-text/json-value";
import {
  useEntryIssues,
  useMemberEdit,
  type EntryForm,
  type SwitchMember,
  type TextMember,
} from "./entry-form";
import { issuesAt } from "../desk/entry-issues";
import { notesOf } from "./field-notes";
import { OddMember } from "./field-notes";

interface MemberTextProps {
  form: EntryForm;
  member: TextMember;
  label: string;
  hint?: ReactNode;
  isRequired?: boolean;
  mono?: boolean;
  isLong?: boolean;
  placeholder?: string;
}

/** A text member: each keystroke is written at once. An optional one that is emptied goes away. */
export function MemberText(props: MemberTextProps) {
  const { form, member, label, hint, isRequired = false, mono, isLong = false, placeholder } = props;
  const issues = useEntryIssues(form.id);
  const write = useMemberEdit(form, member, label);
  const written = getMember(form.value, member);
  const place = `/${member}`;
  if (written !== undefined && typeof written !== "string") {
    return (
      <OddMember id={form.id} place={place} label={label} value={written} issues={issuesAt(issues, place)} />
    );
  }
  const looks = { label, isRequired, mono, placeholder, ...notesOf(issues, place, hint) };
  return (
    <Controller
      control={form.control}
      name={member}
      render={({ field }) => {
        const onChange = (text: string) => {
          field.onChange(text);
          write(text === "" && !isRequired ? undefined : text);
        };
        return (
          <div data-member={place}>
            {isLong ? (
              <TextArea {...field} {...looks} onChange={onChange} rows={2} />
            ) : (
              <TextField {...field} {...looks} onChange={onChange} autoComplete="off" />
            )}
          </div>
        );
      }}
    />
  );
}

interface MemberSwitchProps {
  form: EntryForm;
  member: SwitchMember;
  label: string;
  hint: string;
}

/** A true-or-false member. Switched off it goes away, unless `false` is what was written. */
export function MemberSwitch({ form, member, label, hint }: MemberSwitchProps) {
  const issues = useEntryIssues(form.id);
  const write = useMemberEdit(form, member, label);
  const written = getMember(form.value, member);
  const writesFalse = useRef(false);
  const place = `/${member}`;
  if (written !== undefined && typeof written !== "boolean") {
    return (
      <OddMember id={form.id} place={place} label={label} value={written} issues={issuesAt(issues, place)} />
    );
  }
  const notes = notesOf(issues, place, hint);
  return (
    <Controller
      control={form.control}
      name={member}
      render={({ field }) => (
        <div data-member={place}>
          <Switch
            {...field}
            hint={notes.hint}
            onChange={(isOn) => {
              if (written === false) writesFalse.current = true;
              field.onChange(isOn);
              write(isOn ? true : writesFalse.current ? false : undefined, false);
            }}
          >
            {label}
          </Switch>
        </div>
      )}
    />
  );
}
