"use client";

import type { LucideIcon } from "lucide-react";
import { Label, Radio, RadioGroup } from "react-aria-components";
import { Switch } from "@/components/ui/forms/toggles";
import { MAPPING_FORMATS, SETTING_TYPES } from "@/lib/contract/platform/manifest-terms";
import { BLANK_VALUE } from "@/lib/domain/catalog/manifest/entry";
import { getMember } from "@/lib/domain/platform/json-text/json-value";
import { ENTRY_LABELS } from "../model/entry-labels";
import { MAPPING_FORMAT_LABELS } from "../model/labels";
import { IssueLines, issuesAt, UnsupportedValue, useEntryIssues } from "./entry-issues";
import {
  type EntryForm,
  MemberSwitch,
  MemberText,
  TitleAndName,
  useEntryEdit,
  useMemberEdit,
} from "./member-fields";
import { ValuesField } from "./values-field";

interface FormProps {
  id: string;
  value: unknown;
}

export function SettingForm({ id, value }: FormProps) {
  const form = { id, value };
  const type = SETTING_TYPES.find((each) => each === getMember(value, "type"));
  return (
    <>
      <TitleAndName
        form={form}
        hint="The app reads the value under this name."
        publishedHint="The app reads the value under this name. Renaming makes this a new setting; customers must enter it again."
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
                ? "A Password is always sensitive, regardless of this switch."
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
    const first = hasValues ? {} : { values: [{ ...BLANK_VALUE }] };
    const members = next === "Select" ? { type: next, ...first } : { type: next, values: undefined };
    edit((path) => ({ type: "assign", path, members }), { what: `Change type to ${next}` });
  }

  return (
    <div data-member="/type" className="flex flex-col gap-1.5">
      <Radios
        label="Type"
        options={SETTING_TYPES.map((each) => ({ id: each, name: each, icon: ENTRY_LABELS[each].icon }))}
        value={type ?? null}
        onChange={change}
      />
      <IssueLines issues={issuesAt(issues, "/type")} />
    </div>
  );
}

interface RadiosProps {
  label: string;
  options: readonly { id: string; name: string; icon: LucideIcon }[];
  /** Null or an unknown one selects none. */
  value: string | null;
  onChange: (id: string) => void;
}

function Radios({ label, options, value, onChange }: RadiosProps) {
  return (
    <RadioGroup value={value} onChange={onChange} orientation="horizontal" className="flex flex-col gap-1.5">
      <Label className="text-small font-medium text-ink">{label}</Label>
      <div className="grid auto-cols-fr grid-flow-col gap-1 rounded-field border border-line bg-subtle p-1">
        {options.map(({ id, name, icon: Icon }) => (
          <Radio
            key={id}
            value={id}
            className="flex h-7 cursor-pointer items-center justify-center gap-1.5 rounded text-small text-ink-soft transition-colors hover:text-ink selected:bg-surface selected:font-medium selected:text-ink selected:shadow-low dark:selected:bg-hover"
          >
            <Icon aria-hidden className="size-3.5" />
            {name}
          </Radio>
        ))}
      </div>
    </RadioGroup>
  );
}

export function MappingForm({ id, value }: FormProps) {
  const form = { id, value };
  return (
    <>
      <TitleAndName form={form} hint="The app reads the mapped field under this name." />
      <MappingFormatField form={form} />
      <MemberText
        form={form}
        member="hint"
        label="Hint"
        isLong
        hint="Helps customers find the right field. An example in `backticks` is shown in the empty field."
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

/** JSONPath is the default: choosing it removes the member. */
function MappingFormatField({ form }: { form: EntryForm }) {
  const write = useMemberEdit(form, "format", "Format");
  const issues = useEntryIssues(form.id);
  const format = getMember(form.value, "format");
  if (format !== undefined && typeof format !== "string")
    return <UnsupportedValue id={form.id} pointer="/format" label="Format" value={format} issues={issues} />;
  const known = MAPPING_FORMATS.find((each) => each === (format ?? "jsonpath"));
  return (
    <div data-member="/format" className="flex flex-col gap-1.5">
      <Radios
        label="Format"
        options={MAPPING_FORMATS.map((each) => ({ id: each, ...MAPPING_FORMAT_LABELS[each] }))}
        value={known ?? null}
        onChange={(next) => write(next === "jsonpath" ? undefined : next, false)}
      />
      {known !== undefined && (
        <p className="text-small leading-5 text-ink-faint">{MAPPING_FORMAT_LABELS[known].description}</p>
      )}
      <IssueLines issues={issuesAt(issues, "/format")} />
    </div>
  );
}
