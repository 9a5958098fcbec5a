"use client";

import { memo, useCallback } from "react";
import type { Setting } from "@/lib/contract/manifest";
import type { Issue } from "@/lib/contract/problem";
import { pointerTo, within } from "@/lib/contract/pointer";
import { SettingField } from "./setting-field";
import { useLatest } from "./use-latest";

type ChangeSetting = (name: string, value: string | undefined) => void;

interface SettingFieldsProps {
  settings: readonly Setting[];
  /** By name; a setting that was skipped is absent. */
  values: ReadonlyMap<string, string>;
  issues: readonly Issue[];
  onChange: ChangeSetting;
}

/** An input for each setting, in the order of the manifest. */
export function SettingFields({ settings, values, issues, onChange }: SettingFieldsProps) {
  const latest = useLatest(onChange);
  const change: ChangeSetting = useCallback((name, value) => latest.current(name, value), [latest]);
  return settings.map((setting) => (
    <Row
      key={setting.name}
      setting={setting}
      value={values.get(setting.name)}
      error={within(issues, pointerTo("settings", setting.name))[0]?.message}
      onChange={change}
    />
  ));
}

interface RowProps {
  setting: Setting;
  value: string | undefined;
  error: string | undefined;
  onChange: ChangeSetting;
}

/** A hundred of them with two hundred values each must not be drawn again for a keystroke in one. */
const Row = memo(function Row({ setting, value, error, onChange }: RowProps) {
  const { name } = setting;
  const change = useCallback((next: string | undefined) => onChange(name, next), [name, onChange]);
  return (
    <div data-pointer={pointerTo("settings", name)} className="min-w-0">
      <SettingField setting={setting} value={value} error={error} onChange={change} />
    </div>
  );
});
