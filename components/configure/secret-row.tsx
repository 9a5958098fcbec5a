"use client";

import { LockKeyhole, Trash2 } from "lucide-react";
import { memo } from "react";
import { SeenSetting } from "@/components/configuration-form/seen-by-app";
import { SettingField } from "@/components/configuration-form/setting-field";
import { RelativeTime } from "@/components/ui/relative-time";
import { isSensitive, type Setting } from "@/lib/contract/manifest";
import { ChoiceGroup } from "@/components/ui/choices";
import type { Answer, SecretChoice } from "./configuration-edit";

interface SecretRowProps {
  setting: Setting;
  mayKeep: boolean;
  mayClear: boolean;
  updatedAt?: string;
  by?: string;
  choice: SecretChoice;
  value: string | undefined;
  error: string | undefined;
  onChange: (name: string, answer: Answer) => void;
}

const CHOICES = [
  { value: "keep", text: "Keep" },
  { value: "replace", text: "Replace" },
  { value: "clear", text: "Clear" },
] as const;

/** A secret is kept, replaced or cleared, by a choice that is always in sight. What is stored is in no input. */
export const SecretRow = memo(function SecretRow(props: SecretRowProps) {
  const { setting, mayKeep, mayClear, choice, value, error, onChange } = props;
  const { name, title, hint } = setting;
  if (!mayKeep)
    return (
      <div className="flex min-w-0 flex-col gap-1.5">
        <SettingField
          setting={setting}
          value={choice === "keep" ? undefined : value}
          error={error}
          onChange={(typed) => onChange(name, { kind: "secret", choice: "replace", value: typed })}
        />
        {(value === undefined || choice === "keep") && (
          <p className="text-[13px] leading-5 text-ink-faint">
            Not set. Leave it as it is, or set it: it is hidden once it is saved.
          </p>
        )}
      </div>
    );
  const choices = mayClear ? CHOICES : CHOICES.slice(0, 2);
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <p className="flex items-baseline gap-2 text-[13px] font-medium break-words text-ink">
            {title}
            {setting.required !== true && (
              <span className="text-xs font-normal text-ink-faint">optional</span>
            )}
          </p>
          {hint !== undefined && hint !== "" && (
            <p className="text-[13px] leading-5 break-words text-ink-faint">{hint}</p>
          )}
        </div>
        <ChoiceGroup
          label={`${title}: keep, replace or clear`}
          options={choices}
          value={choice}
          isInvalid={error !== undefined && choice !== "replace"}
          // What was typed stays while another choice is tried.
          onChange={(chosen) => onChange(name, { kind: "secret", choice: chosen, value })}
        />
      </div>
      {choice === "replace" ? (
        <SettingField
          setting={{ ...setting, title: `New value of ${title}`, hint: hintOfNew(setting), required: true }}
          value={value}
          error={error}
          onChange={(typed) => onChange(name, { kind: "secret", choice: "replace", value: typed })}
        />
      ) : (
        <>
          <p className="flex items-start gap-2 rounded-field border border-line bg-subtle px-3 py-2 text-[13px] leading-5 text-ink-soft">
            {choice === "keep" ? <Kept {...props} /> : <Cleared />}
          </p>
          <SeenSetting
            setting={{ ...setting, sensitive: true }}
            value={choice === "keep" ? "kept" : undefined}
          />
          {error !== undefined && <p className="text-[13px] leading-5 text-danger">{error}</p>}
        </>
      )}
    </div>
  );
});

function Kept({ updatedAt, by }: SecretRowProps) {
  return (
    <>
      <LockKeyhole aria-hidden className="mt-[3px] size-3.5 shrink-0 text-ink-faint" />
      <span className="min-w-0 break-words">
        Set
        {updatedAt !== undefined && (
          <>
            {" "}
            <RelativeTime at={updatedAt} />
          </>
        )}
        {by !== undefined && ` by ${by}`}; hidden. It stays as it is.
      </span>
    </>
  );
}

function Cleared() {
  return (
    <>
      <Trash2 aria-hidden className="mt-[3px] size-3.5 shrink-0 text-ink-faint" />
      <span className="min-w-0">
        The stored value is removed when you save. The app gets nothing for it from the next call.
      </span>
    </>
  );
}

/** A value that was sealed once stays hidden; a new one follows what the app says today. */
function hintOfNew(setting: Setting): string {
  return isSensitive(setting)
    ? "Hidden once it is saved. The stored value counts until then."
    : "The app does not call it a secret any more: what you enter now can be read here afterwards.";
}
