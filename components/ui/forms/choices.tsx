"use client";

import type { ReactNode } from "react";
import { Label, Radio, RadioGroup } from "react-aria-components";

interface ChoiceGroupProps<Value extends string> {
  label: string;
  options: readonly { value: Value; text: string }[];
  value: Value;
  onChange: (value: Value) => void;
  isInvalid?: boolean;
}

/** A few visible choices of which one applies. The page shows the label elsewhere, so it is hidden here. */
export function ChoiceGroup<Value extends string>(props: ChoiceGroupProps<Value>) {
  const { label, options, value, onChange, isInvalid } = props;
  return (
    <RadioGroup
      value={value}
      onChange={(key) => {
        const chosen = options.find((option) => option.value === key);
        if (chosen !== undefined) onChange(chosen.value);
      }}
      orientation="horizontal"
      isInvalid={isInvalid}
      className="flex w-full rounded-field border border-line-strong bg-subtle p-0.5 invalid:border-danger sm:w-auto"
    >
      <Label className="sr-only">{label}</Label>
      {options.map((option) => (
        <Radio
          key={option.value}
          value={option.value}
          className="flex h-8 flex-1 cursor-pointer items-center justify-center rounded-[4px] border border-transparent px-3.5 text-small whitespace-nowrap text-ink-soft hover:text-ink sm:h-7 sm:flex-none selected:border-line-strong selected:bg-surface selected:font-medium selected:text-ink selected:shadow-low"
        >
          {option.text}
        </Radio>
      ))}
    </RadioGroup>
  );
}

/** A choice with room for more than its name, within a RadioGroup. */
export function ChoiceCard({ value, children }: { value: string; children: ReactNode }) {
  return (
    <Radio
      value={value}
      className="group flex min-w-0 cursor-pointer items-start gap-3 rounded-field border border-line px-4 py-3 hover:bg-hover selected:border-accent-text selected:bg-accent-soft"
    >
      <span className="mt-1 flex size-4 shrink-0 items-center justify-center rounded-full border border-line-strong bg-surface group-selected:border-[5px] group-selected:border-accent" />
      <span className="min-w-0 flex-1">{children}</span>
    </Radio>
  );
}
