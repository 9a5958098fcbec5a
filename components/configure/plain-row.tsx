"use client";

import { memo } from "react";
import { focusFieldBeside } from "@/components/configuration-form/focus-fields";
import { SettingField } from "@/components/configuration-form/setting-field";
import { Button } from "@/components/ui/button";
import type { Setting } from "@/lib/contract/manifest";
import { shownText } from "./both-sides";
import type { Answer } from "./configuration-edit";

interface PlainRowProps {
  setting: Setting;
  stored: string | undefined;
  value: string | undefined;
  /** It will be sent. */
  isChanged: boolean;
  error: string | undefined;
  onChange: (name: string, answer: Answer) => void;
}

/** A setting that can be read back: what is stored stands in its input, and what was changed can be taken back. */
export const PlainRow = memo(function PlainRow(props: PlainRowProps) {
  const { setting, stored, value, isChanged, error, onChange } = props;
  const { name } = setting;
  const change = (next: string | undefined) => onChange(name, { kind: "plain", value: next });
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <SettingField setting={setting} value={value} error={error} onChange={change} />
      {isChanged && (
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 text-[13px] leading-5 text-ink-soft">
          <span className="min-w-0 wrap-anywhere">{wordsFor(setting, stored, value)}</span>
          <Button
            size="small"
            tone="quiet"
            className="-my-1 h-7 px-2"
            onPress={({ target }) => {
              focusFieldBeside(target);
              change(stored);
            }}
          >
            Undo
          </Button>
        </p>
      )}
    </div>
  );
});

function wordsFor(setting: Setting, stored: string | undefined, value: string | undefined): string {
  const was = shownText(setting, stored);
  const words = was === undefined ? "Was skipped." : was === "" ? "Was empty." : `Was “${was}”.`;
  const isCleared = value === undefined || (value === "" && setting.type !== "Select");
  return isCleared && setting.required !== true
    ? `${words} Saving clears it: the app gets nothing for it.`
    : words;
}
