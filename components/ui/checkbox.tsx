"use client";

import { Check } from "lucide-react";
import type { ReactNode, Ref } from "react";
import { Checkbox as AriaCheckbox } from "react-aria-components";

export interface CheckboxProps {
  children: ReactNode;
  name?: string;
  value?: boolean;
  onChange?: (value: boolean) => void;
  onBlur?: () => void;
  isDisabled?: boolean;
  ref?: Ref<HTMLInputElement | null>;
}

/** `value` is whether it is ticked, so that react-hook-form's `field` can be spread. */
export function Checkbox({ children, value, ref, ...props }: CheckboxProps) {
  return (
    <AriaCheckbox
      {...props}
      inputRef={ref}
      isSelected={value}
      className="group flex cursor-pointer items-start gap-2 text-sm text-ink"
    >
      <span className="mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-sm border border-line-strong bg-surface transition-colors group-focus-visible:outline-2 group-focus-visible:outline-offset-2 group-focus-visible:outline-accent-text group-selected:border-accent group-selected:bg-accent">
        <Check aria-hidden className="hidden size-3 text-accent-ink group-selected:block" />
      </span>
      <span>{children}</span>
    </AriaCheckbox>
  );
}
