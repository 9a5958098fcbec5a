"use client";

import type { Issue } from "@/lib/contract/problem";
import { settingPointer } from "@/lib/domain/configuration";
import { choicesOf } from "@/lib/domain/setting-choices";
import {
  actionOf,
  answerOf,
  settingsOf,
  type Answer,
  type ConfigurationEdit,
  type EditedConfiguration,
} from "./configuration-edit";
import { PlainRow } from "./plain-row";
import { SecretRow } from "./secret-row";

interface SettingRowsProps {
  configuration: EditedConfiguration;
  edit: ConfigurationEdit;
  issues: readonly Issue[];
  /** The same function for as long as the page is there. */
  onChange: (name: string, answer: Answer) => void;
}

/** The settings in the order of the manifest. Rows take plain values: only the one that changes is drawn again. */
export function SettingRows({ configuration, edit, issues, onChange }: SettingRowsProps) {
  return settingsOf(configuration).map(({ setting, view }) => {
    const pointer = settingPointer(setting.name);
    const answer = answerOf(edit, view);
    const choices = choicesOf(setting, view);
    const shared = { setting, error: issues.find((issue) => issue.pointer === pointer)?.message, onChange };
    return (
      <div key={setting.name} data-pointer={pointer} className="min-w-0 px-4 py-5 sm:px-6">
        {view.sensitive ? (
          <SecretRow
            {...shared}
            mayKeep={choices.keep}
            mayClear={choices.clear}
            updatedAt={view.updatedAt}
            by={view.by}
            choice={answer.kind === "secret" ? answer.choice : "keep"}
            value={answer.value}
          />
        ) : (
          <PlainRow
            {...shared}
            stored={choices.shown}
            value={answer.value}
            isChanged={actionOf(setting, view, answer) !== undefined}
          />
        )}
      </div>
    );
  });
}
