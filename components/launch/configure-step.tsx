"use client";

import { Notice } from "@/components/ui/notice";
import { isSensitive, type Setting } from "@/lib/contract/manifest";
import type { Issue } from "@/lib/contract/problem";
import { SettingFields } from "@/components/configuration-form/setting-fields";
import { StepLead } from "./step-lead";

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
      <StepLead>
        What is not marked optional is needed. What you leave empty is skipped: the app gets no value for it.
      </StepLead>
      {again.length > 0 && (
        <Notice title={again.length === 1 ? "Enter one secret again" : `Enter ${again.length} secrets again`}>
          Secrets are not kept in this browser: {again.map(({ title }) => title).join(", ")}.
        </Notice>
      )}
      <SettingFields settings={settings} values={values} issues={issues} onChange={onChange} />
    </>
  );
}
