"use client";

import { Label, Radio, RadioGroup } from "react-aria-components";

interface ChoiceGroupProps<Value extends string> {
  label: string;
  options: readonly { value: Value; text: string }[];
  value: Value;
  onChange: (value: Value) => void;
  isInvalid?: boolean;
}

/** A few choices that exclude each other, all in sight. The label stands elsewhere on the page too, so it is hidden. */
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
          className="flex h-8 flex-1 cursor-pointer items-center justify-center rounded-[4px] border border-transparent px-3.5 text-[13px] whitespace-nowrap text-ink-soft hover:text-ink focus-visible:outline-2 focus-visible:outline-accent-text sm:h-7 sm:flex-none selected:border-line-strong selected:bg-surface selected:font-medium selected:text-ink selected:shadow-low"
        >
          {option.text}
        </Radio>
      ))}
    </RadioGroup>
  );
}
