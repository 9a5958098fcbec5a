"use client";

import { useRef, type ReactNode } from "react";
import { TextArea, TextField } from "@/components/ui/text-fields";
import { Switch } from "@/components/ui/toggles";
import { pointerTo } from "@/lib/contract/pointer";
import { getMember } from "@/lib/domain/json-text/json-value";
import { useEntryIssues } from "../desk/entry-issues";
import { useMemberEdit, type EntryForm, type SwitchMember, type TextMember } from "./entry-form";
import { getNotes, UnsupportedValue } from "./field-notes";

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
