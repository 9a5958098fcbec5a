"use client";

import { Label, Radio, RadioGroup } from "react-aria-components";
import { Switch } from "@/components/ui/toggles";
import { SETTING_TYPES } from "@/lib/contract/manifest";
import { getMember } from "@/lib/domain/json-text/json-value";
import { ENTRY_LABELS } from "../../model/labels";
import { issuesAt, useEntryIssues } from "../desk/entry-issues";
import { useEntryEdit, type EntryForm } from "../fields/entry-form";
import { IssueLines, UnsupportedValue } from "../fields/field-notes";
import { MemberSwitch, MemberText } from "../fields/member-fields";
import { ValuesField } from "../values/values-field";

interface FormProps {
  id: string;
  value: unknown;
}

export function SettingForm({ id, value }: FormProps) {
  const form = { id, value };
  const type = SETTING_TYPES.find((each) => each === getMember(value, "type"));
  return (
    <>
      <MemberText form={form} member="title" label="Title" isRequired hint="Shown to customers." />
      <MemberText
        form={form}
        member="name"
        label="Name"
        isRequired
        mono
        hint="The app reads the value under this name. Renaming makes this a new setting; customers must enter it again."
      />
      <SettingType form={form} />
      <MemberText
        form={form}
        member="hint"
        label="Hint"
        isLong
        hint="Shown below the field: where to find the value, what it does."
      />
      <ValuesField id={id} type={type} values={getMember(value, "values")} />
      <div className="flex flex-col gap-4 border-t border-line pt-4">
        <MemberSwitch
          form={form}
          member="required"
          label="Required"
          hint="The app can't be launched without it."
        />
        {type === "Password" && getMember(value, "sensitive") === undefined ? (
          <Switch
            value
            isDisabled
            hint="A Password is always sensitive: it can be entered but never read back."
          >
            Sensitive
          </Switch>
        ) : (
          <MemberSwitch
            form={form}
            member="sensitive"
            label="Sensitive"
            hint={
              type === "Password"
                ? "A Password is always sensitive, whatever this switch says."
                : "It can be entered but never read back."
            }
          />
        )}
      </div>
    </>
  );
}

/** Changing the type also adds a first value or removes the values, as one edit that undo reverts completely. */
function SettingType({ form: { id, value } }: { form: EntryForm }) {
  const edit = useEntryEdit(id);
  const issues = useEntryIssues(id);
  const type = getMember(value, "type");
  if (type !== undefined && typeof type !== "string")
    return <UnsupportedValue id={id} pointer="/type" label="Type" value={type} issues={issues} />;

  function change(next: string): void {
    const values = getMember(value, "values");
    const hasValues = values !== undefined && !(Array.isArray(values) && values.length === 0);
    const first = hasValues ? {} : { values: [{ text: "First", value: "first" }] };
    const members = next === "Select" ? { type: next, ...first } : { type: next, values: undefined };
    edit((path) => ({ type: "assign", path, members }), { what: `Change type to ${next}` });
  }

  return (
    <div data-member="/type" className="flex flex-col gap-1.5">
      <RadioGroup
        value={type ?? null}
        onChange={change}
        orientation="horizontal"
        className="flex flex-col gap-1.5"
      >
        <Label className="text-[13px] font-medium text-ink">Type</Label>
        <div className="grid grid-cols-3 gap-1 rounded-field border border-line bg-subtle p-1">
          {SETTING_TYPES.map((each) => {
            const Icon = ENTRY_LABELS[each].icon;
            return (
              <Radio
                key={each}
                value={each}
                className="flex h-7 cursor-pointer items-center justify-center gap-1.5 rounded text-[13px] text-ink-soft transition-colors hover:text-ink selected:bg-surface selected:font-medium selected:text-ink selected:shadow-low dark:selected:bg-hover"
              >
                <Icon aria-hidden className="size-3.5" />
                {each}
              </Radio>
            );
          })}
        </div>
      </RadioGroup>
      <IssueLines issues={issuesAt(issues, "/type")} />
    </div>
  );
}

export function MappingForm({ id, value }: FormProps) {
  const form = { id, value };
  return (
    <>
      <MemberText form={form} member="title" label="Title" isRequired hint="Shown to customers." />
      <MemberText
        form={form}
        member="name"
        label="Name"
        isRequired
        mono
        hint="The app reads the mapped field under this name."
      />
      <MemberText
        form={form}
        member="hint"
        label="Hint"
        isLong
        hint="Helps customers find the right field of a product."
      />
      <div className="border-t border-line pt-4">
        <MemberSwitch
          form={form}
          member="required"
          label="Required"
          hint="The app can't be launched until it is mapped."
        />
      </div>
    </>
  );
}
