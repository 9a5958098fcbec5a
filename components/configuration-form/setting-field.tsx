"use client";

import { useState } from "react";
import { PasswordField } from "@/components/ui/text-fields";
import { SelectField } from "@/components/ui/select-field";
import { TextField } from "@/components/ui/text-fields";
import type { Setting } from "@/lib/contract/manifest";
import { isSensitive } from "@/lib/contract/manifest-terms";
import { SeenSetting } from "./names-shown";

interface SettingFieldProps {
  setting: Setting;
  /** Undefined: skipped. */
  value: string | undefined;
  /** An emptied text is undefined, not "". */
  onChange: (value: string | undefined) => void;
  error?: string;
}

const NONE = "none";

/** The input for one entry of `app.fields`. Sensitive text is hidden while it is typed. */
export function SettingField(props: SettingFieldProps) {
  // Publishers write titles and hints, and a word can have any length.
  return (
    <div className="contents wrap-anywhere">
      <SettingInput {...props} />
    </div>
  );
}

function SettingInput({ setting, value, onChange, error }: SettingFieldProps) {
  const hint = (
    <>
      {setting.hint}
      <SeenSetting setting={setting} value={value} />
    </>
  );
  const shared = {
    label: setting.title,
    hint,
    error,
    isRequired: setting.required === true,
    name: setting.name,
  };
  if (setting.type === "Select")
    return <SelectSetting setting={setting} value={value} onChange={onChange} shared={shared} />;
  const text = {
    value: value ?? "",
    onChange: (typed: string) => onChange(typed === "" ? undefined : typed),
  };
  if (!isSensitive(setting)) return <TextField {...shared} {...text} autoComplete="off" />;
  return <PasswordField {...shared} {...text} autoComplete="off" />;
}

interface SelectSettingProps extends Omit<SettingFieldProps, "error"> {
  shared: { label: string; hint?: React.ReactNode; error?: string; isRequired: boolean; name: string };
}

/** A longer list is rendered when the field gets the focus: a hundred of them at once block a page for seconds. */
const SHORT_LIST = 30;

/** Options are keyed by their index, because a value can be any string, even an empty one. */
function SelectSetting({ setting, value, onChange, shared }: SelectSettingProps) {
  const offered = setting.values ?? [];
  const [wanted, setWanted] = useState(offered.length <= SHORT_LIST);
  const want = () => setWanted(true);
  const options = offered.map((item, index) => ({ value: `value-${index}`, text: item.text }));
  const at = value === undefined ? -1 : offered.findIndex((item) => item.value === value);
  const chosen = at === -1 ? "" : `value-${at}`;
  const all = setting.required === true ? options : [{ value: NONE, text: "None" }, ...options];
  return (
    <div className="contents" onFocusCapture={want} onPointerDownCapture={want} onClickCapture={want}>
      <SelectField
        {...shared}
        options={wanted ? all : all.filter((option) => option.value === chosen)}
        value={chosen}
        onChange={(key) => onChange(offered[Number(key.replace("value-", ""))]?.value)}
      />
    </div>
  );
}
