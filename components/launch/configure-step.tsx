"use client";

import { Notice } from "@/components/ui/notice";
import { isSensitive, type Setting } from "@/lib/contract/manifest";
import type { Issue } from "@/lib/contract/problem";
import { NamesSwitch } from "@/components/configuration-form/names-shown";
import { SettingFields } from "@/components/configuration-form/setting-fields";

interface ConfigureStepProps {
  settings: readonly Setting[];
  values: ReadonlyMap<string, string>;
  /** Names of secrets that were entered on an earlier visit, and are not kept. */
  secretsBefore?: ReadonlySet<string>;
  issues: readonly Issue[];
  onChange: (name: string, value: string | undefined) => void;
}

export function ConfigureStep({ settings, values, secretsBefore, issues, onChange }: ConfigureStepProps) {
  const again = settings.filter(
    (setting) =>
      isSensitive(setting) && secretsBefore?.has(setting.name) === true && !values.has(setting.name),
  );
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <p className="min-w-0 flex-1 basis-64 text-ink-soft">
          What is not marked optional is needed. What you leave empty is skipped: the app gets no value for
          it.
        </p>
        <NamesSwitch />
      </div>
      {again.length > 0 && (
        <Notice title={again.length === 1 ? "Enter one secret again" : `Enter ${again.length} secrets again`}>
          Secrets are not kept in this browser: {again.map(({ title }) => title).join(", ")}.
        </Notice>
      )}
      <SettingFields settings={settings} values={values} issues={issues} onChange={onChange} />
    </>
  );
}
