"use client";

import type { LucideIcon } from "lucide-react";
import { useId } from "react";

interface SegmentsProps<Value extends string> {
  /** Names the group for screen readers. */
  label: string;
  options: readonly { value: Value; text: string; icon?: LucideIcon }[];
  /** Empty: none is chosen yet. */
  value: Value | "";
  onChange: (value: Value) => void;
  /** It is a field of a form: as tall as the others, and on a phone as wide. */
  isField?: boolean;
  isInvalid?: boolean;
}

const LOOKS = {
  view: {
    group: "inline-flex max-w-full shrink-0 flex-wrap border-line",
    option: "min-h-7 gap-1.5 px-2.5",
  },
  field: {
    group: "flex w-full border-line-strong aria-invalid:border-danger sm:inline-flex sm:w-auto",
    option:
      "min-h-8 flex-1 justify-center border border-transparent px-3.5 whitespace-nowrap has-checked:border-line-strong sm:min-h-7 sm:flex-none",
  },
};

/** One of a few choices, which are all visible. The browser's own radio buttons, each over the whole of its segment. */
export function Segments<Value extends string>(props: SegmentsProps<Value>) {
  const { label, options, value, onChange, isField = false, isInvalid } = props;
  const look = LOOKS[isField ? "field" : "view"];
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      aria-invalid={isInvalid}
      className={`rounded-field border bg-subtle p-0.5 ${look.group}`}
    >
      {options.map((option) => (
        <label
          key={option.value}
          className={`relative inline-flex items-center rounded-[4px] text-small text-ink-soft hover:text-ink has-checked:bg-surface has-checked:font-medium has-checked:text-ink has-checked:shadow-low ${look.option}`}
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
