"use client";

import type { LucideIcon } from "lucide-react";
import { useId } from "react";

interface SegmentsProps<Value extends string> {
  /** Names the group for screen readers. */
  label: string;
  options: readonly { value: Value; text: string; icon?: LucideIcon }[];
  value: Value;
  onChange: (value: Value) => void;
}

/** Switches between a few views of the same thing. The browser's own radio buttons, each over the whole of its segment. */
export function Segments<Value extends string>({ label, options, value, onChange }: SegmentsProps<Value>) {
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className="inline-flex max-w-full shrink-0 flex-wrap rounded-field border border-line bg-subtle p-0.5"
    >
      {options.map((option) => (
        <label
          key={option.value}
          className="relative inline-flex min-h-7 items-center gap-1.5 rounded-[4px] px-2.5 text-small text-ink-soft hover:text-ink has-checked:bg-surface has-checked:font-medium has-checked:text-ink has-checked:shadow-low"
        >
          <input
            type="radio"
            name={name}
            autoComplete="off"
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 m-0 cursor-pointer appearance-none rounded-[4px]"
          />
          {option.icon !== undefined && <option.icon aria-hidden className="size-4" />}
          {option.text}
        </label>
      ))}
    </div>
  );
}
