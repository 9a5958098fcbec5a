"use client";

import { SETTING_TYPES } from "@/lib/contract/manifest";
import { Switch } from "@/components/ui/switch";
import { memberOf } from "@/lib/domain/manifest/finding";
import { useEntryForm } from "./entry-form";
import { MemberSwitch, MemberText } from "./member-fields";
import { SettingType } from "./setting-type";
import { ValuesField } from "./values-field";

interface FormProps {
  id: string;
  value: unknown;
}

export const SETTING_MEMBERS = ["title", "name", "type", "hint", "values", "required", "sensitive"] as const;

export function SettingForm({ id, value }: FormProps) {
  const form = useEntryForm(id, value);
  const type = SETTING_TYPES.find((each) => each === memberOf(value, "type"));
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
      <ValuesField id={id} type={type} values={memberOf(value, "values")} />
      <div className="flex flex-col gap-4 border-t border-line pt-4">
        <MemberSwitch
          form={form}
          member="required"
          label="Required"
          hint="The app cannot be launched without it."
        />
        {type === "Password" && memberOf(value, "sensitive") === undefined ? (
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
