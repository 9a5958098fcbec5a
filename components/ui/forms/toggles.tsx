"use client";

import type { ReactNode, Ref } from "react";
import { Checkbox as AriaCheckbox, SwitchButton, SwitchField, Text } from "react-aria-components";

interface SwitchProps {
  children: ReactNode;
  /** What it does, or why it can't be changed. */
  hint?: ReactNode;
  name?: string;
  value?: boolean;
  onChange?: (value: boolean) => void;
  onBlur?: () => void;
  isDisabled?: boolean;
  ref?: Ref<HTMLInputElement | null>;
}

/** `value`: whether it is on. Named so that react-hook-form's `field` can be spread. */
export function Switch({ children, hint, value, ref, ...props }: SwitchProps) {
  return (
    <SwitchField {...props} inputRef={ref} isSelected={value} className="flex flex-col gap-1">
      <SwitchButton className="group flex min-h-6 cursor-pointer items-center justify-between gap-4 text-small font-medium text-ink disabled:cursor-not-allowed">
        <span>{children}</span>
        <span className="flex h-5 w-9 shrink-0 items-center rounded-full border border-line-strong bg-subtle p-0.5 transition-colors group-disabled:opacity-55 group-selected:border-accent group-selected:bg-accent">
          <span className="size-3.5 rounded-full bg-line-strong transition-transform group-selected:translate-x-4 group-selected:bg-accent-ink forced-colors:bg-[CanvasText]!" />
        </span>
      </SwitchButton>
      {hint !== undefined && (
        <Text slot="description" className="pr-12 text-small leading-5 text-ink-faint">
          {hint}
        </Text>
      )}
    </SwitchField>
  );
}

interface CheckboxProps {
  children: ReactNode;
  name?: string;
  value?: boolean;
  onChange?: (value: boolean) => void;
  onBlur?: () => void;
  isDisabled?: boolean;
  ref?: Ref<HTMLInputElement | null>;
}

/** `value`: whether it is checked. Named so that react-hook-form's `field` can be spread. */
export function Checkbox({ children, value, ref, ...props }: CheckboxProps) {
  return (
    <AriaCheckbox
      {...props}
      inputRef={ref}
      isSelected={value}
      className="group flex cursor-pointer items-start gap-2 text-sm text-ink"
    >
      <span className="mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-sm border border-line-strong bg-surface transition-colors group-selected:border-accent group-selected:bg-accent">
        <span aria-hidden className="check-mark" />
      </span>
      <span>{children}</span>
    </AriaCheckbox>
  );
}
