"use client";

import { memo } from "react";
import { SettingField } from "@/components/configuration-form/setting-field";
import { ChoiceGroup } from "@/components/ui/choices";
import type { SettingQuestion } from "./upgrade-questions";

interface SettingQuestionRowProps {
  question: SettingQuestion;
  value: string | undefined;
  isSkipped: boolean;
  error: string | undefined;
  onChange: (name: string, value: string | undefined) => void;
  onSkip: (name: string, isSkipped: boolean) => void;
}

const CHOICES = [
  { value: "enter", text: "Enter" },
  { value: "skip", text: "Skip" },
] as const;

/** One setting that the new version asks or offers. What the app does without can be skipped in plain sight. */
export const SettingQuestionRow = memo(function SettingQuestionRow(props: SettingQuestionRowProps) {
  const { question, value, isSkipped, error, onChange, onSkip } = props;
  const { setting, maySkip } = question;
  const { name, title } = setting;
  const why = whyAsked(question);
  const isOpen = !(maySkip && isSkipped);
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {(why !== undefined || maySkip) && (
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <p className="min-w-0 flex-1 basis-64 text-[13px] leading-5 wrap-anywhere text-ink-soft">
            {isOpen ? (
              why
            ) : (
              <>
                <span className="font-medium text-ink">{title}</span> is skipped: the new version gets nothing
                for it.
              </>
            )}
          </p>
          {maySkip && (
            <ChoiceGroup
              label={`${title}: enter or skip`}
              options={CHOICES}
              value={isSkipped ? "skip" : "enter"}
              onChange={(choice) => onSkip(name, choice === "skip")}
            />
          )}
        </div>
      )}
      {isOpen && (
        <SettingField
          setting={setting}
          value={value}
          error={error}
          onChange={(typed) => onChange(name, typed)}
        />
      )}
    </div>
  );
});

/** Only where something is stored: what is new needs no word. */
function whyAsked({ setting, choices, stored, ask }: SettingQuestion): string | undefined {
  if (ask?.code !== "setting-ask-again") return undefined;
  if (choices.kind === "secret")
    return `A secret is stored for '${setting.title}', and does not fit what the new version declares.`;
  return setting.type === "Select"
    ? `“${stored ?? ""}” is stored, and the new version does not offer it.`
    : `“${stored ?? ""}” is stored, and does not fit what the new version declares.`;
}
