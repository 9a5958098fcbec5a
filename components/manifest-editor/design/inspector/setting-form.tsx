"use client";

import { SETTING_TYPES } from "@/lib/contract/manifest";
import { Switch } from "@/components/ui/toggles";
import { getMember } from "@/lib/domain/json-text/json-value";
import { type EntryForm, useEntryEdit, useEntryForm, useEntryIssues } from "../fields/entry-form";
import { MemberSwitch, MemberText } from "../fields/member-fields";
import { ValuesField } from "../values/values-field";
import { Label, Radio, RadioGroup } from "react-aria-components";
import { issuesAt } from "../desk/entry-issues";
import { IssueLines } from "../fields/field-notes";
import { LOOK_OF } from "../../model/labels";
import { OddMember } from "../fields/field-notes";

interface FormProps {
  id: string;
  value: unknown;
}

export const SETTING_MEMBERS = ["title", "name", "type", "hint", "values", "required", "sensitive"] as const;

export function SettingForm({ id, value }: FormProps) {
  const form = useEntryForm(id, value);
  const type = SETTING_TYPES.find((each) => each === getMember(value, "type"));
  return (
    <>
      <MemberText form={form} member="title" label="Title" isRequired hint="What customers read." />
      <MemberText
        form={form}
        member="name"
        label="Name"
        isRequired
        mono
        hint="The key under which the app reads the value. Another name is another setting: customers fill it in anew."
      />
      <SettingType form={form} />
      <MemberText
        form={form}
        member="hint"
        label="Hint"
        isLong
        hint="Stands below the field: where to find the value, what it does."
      />
      <ValuesField id={id} type={type} values={getMember(value, "values")} />
      <div className="flex flex-col gap-4 border-t border-line pt-4">
        <MemberSwitch
          form={form}
          member="required"
          label="Required"
          hint="The app cannot be launched without it."
        />
        {type === "Password" && getMember(value, "sensitive") === undefined ? (
          <Switch value isDisabled hint="A Password always is: it can be entered, but never read back.">
            Sensitive
          </Switch>
        ) : (
          <MemberSwitch
            form={form}
            member="sensitive"
            label="Sensitive"
            hint={
              type === "Password"
                ? "A Password always is, whatever is written here."
                : "It can be entered, but never read back."
            }
          />
        )}
      </div>
    </>
  );
}

export const MAPPING_MEMBERS = ["title", "name", "hint", "required"] as const;

export function MappingForm({ id, value }: FormProps) {
  const form = useEntryForm(id, value);
  return (
    <>
      <MemberText form={form} member="title" label="Title" isRequired hint="What customers read." />
      <MemberText
        form={form}
        member="name"
        label="Name"
        isRequired
        mono
        hint="The key under which the app reads which field was mapped."
      />
      <MemberText
        form={form}
        member="hint"
        label="Hint"
        isLong
        hint="Helps to find the right field of a product."
      />
      <div className="border-t border-line pt-4">
        <MemberSwitch
          form={form}
          member="required"
          label="Required"
          hint="The app cannot be launched before it is mapped."
        />
      </div>
    </>
  );
}

/** To Select comes a first value with it, away from Select the values go: one edit, which undo takes back whole. */
export function SettingType({ form: { id, value } }: { form: EntryForm }) {
  const edit = useEntryEdit(id);
  const issues = issuesAt(useEntryIssues(id), "/type");
  const type = getMember(value, "type");
  if (type !== undefined && typeof type !== "string") {
    return <OddMember id={id} place="/type" label="Type" value={type} issues={issues} />;
  }

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
            const Icon = LOOK_OF[each].icon;
            return (
              <Radio
                key={each}
                value={each}
                className="flex h-7 cursor-pointer items-center justify-center gap-1.5 rounded text-[13px] text-ink-soft transition-colors hover:text-ink focus-visible:outline-2 focus-visible:outline-accent-text selected:bg-surface selected:font-medium selected:text-ink selected:shadow-low dark:selected:bg-hover"
              >
                <Icon aria-hidden className="size-3.5" />
                {each}
              </Radio>
            );
          })}
        </div>
      </RadioGroup>
      <IssueLines issues={issues} />
    </div>
  );
}
