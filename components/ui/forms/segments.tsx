"use client";

import type { LucideIcon } from "lucide-react";
import { ToggleButton, ToggleButtonGroup } from "react-aria-components";

interface SegmentsProps<Value extends string> {
  /** Names the group for screen readers. */
  label: string;
  options: readonly { value: Value; text: string; icon?: LucideIcon }[];
  value: Value;
  onChange: (value: Value) => void;
}

/** Switches between a few views of the same thing. */
export function Segments<Value extends string>({ label, options, value, onChange }: SegmentsProps<Value>) {
  return (
    <ToggleButtonGroup
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={([key]) => {
        const chosen = options.find((option) => option.value === key);
        if (chosen !== undefined) onChange(chosen.value);
      }}
      className="inline-flex max-w-full shrink-0 flex-wrap rounded-field border border-line bg-subtle p-0.5"
    >
      {options.map(({ value: id, text, icon: Icon }) => (
        <ToggleButton
          key={id}
          id={id}
          className="inline-flex min-h-7 cursor-pointer items-center gap-1.5 rounded-[4px] px-2.5 text-small text-ink-soft hover:text-ink selected:bg-surface selected:font-medium selected:text-ink selected:shadow-low"
        >
          {Icon !== undefined && <Icon aria-hidden className="size-4" />}
          {text}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
