"use client";

import { Label, Radio, RadioGroup } from "react-aria-components";
import { SETTING_TYPES } from "@/lib/contract/manifest";
import { memberOf } from "@/lib/domain/manifest/finding";
import { useEntryEdit, useEntryIssues, type EntryForm } from "./entry-form";
import { issuesAt } from "./entry-issues";
import { IssueLines } from "./field-notes";
import { LOOK_OF } from "./kinds";
import { OddMember } from "./odd-member";

/** To Select comes a first value with it, away from Select the values go: one edit, which undo takes back whole. */
export function SettingType({ form: { id, value } }: { form: EntryForm }) {
  const edit = useEntryEdit(id);
  const issues = issuesAt(useEntryIssues(id), "/type");
  const type = memberOf(value, "type");
  if (type !== undefined && typeof type !== "string") {
    return <OddMember id={id} place="/type" label="Type" value={type} issues={issues} />;
  }

  function change(next: string): void {
    const values = memberOf(value, "values");
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
