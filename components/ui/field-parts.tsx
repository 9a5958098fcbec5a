"use client";

import { type ReactNode, useEffect, useEffectEvent, useRef } from "react";
import { FieldError, Label, Text } from "react-aria-components";

/** Props of every field. Add react-hook-form's `field`, and `fieldState.error?.message` as `error`. */
export interface FieldProps {
  label: string;
  /** How to fill it in. An error replaces it. */
  hint?: ReactNode;
  error?: string;
  isRequired?: boolean;
  isDisabled?: boolean;
  className?: string;
}

/** The classes of an input. `rows`: one line, or many that the user may resize. */
export function inputStyles({
  rows = "one",
  mono = false,
  className = "",
}: {
  rows?: "one" | "many";
  mono?: boolean;
  className?: string;
}): string {
  const height = rows === "one" ? "h-9" : "min-h-24 resize-y py-2 leading-6";
  const font = mono ? "font-mono text-[13px]" : "text-sm";
  return `w-full min-w-0 rounded-field border border-line-strong bg-surface px-3 text-ink shadow-low transition-colors duration-100 placeholder:text-ink-faint hover:border-ink-faint focus:border-accent-text focus:outline-2 focus:-outline-offset-1 focus:outline-accent-text invalid:border-danger disabled:cursor-not-allowed disabled:bg-subtle disabled:opacity-70 ${height} ${font} ${className}`;
}

export function FieldLabel({ children, isRequired }: { children: ReactNode; isRequired?: boolean }) {
  return (
    <Label className="flex items-baseline gap-2 text-[13px] font-medium text-ink">
      {children}
      {isRequired !== true && <span className="text-xs font-normal text-ink-faint">optional</span>}
    </Label>
  );
}

export function FieldNotes({ hint, error }: { hint?: ReactNode; error?: string }) {
  return (
    <>
      {hint !== undefined && error === undefined && (
        <Text slot="description" className="text-[13px] leading-5 text-ink-faint">
          {hint}
        </Text>
      )}
      <FieldError className="text-[13px] leading-5 text-danger">{error}</FieldError>
    </>
  );
}

/** A ref for a field's container. Passes what the user typed before hydration to `onChange`, so that it isn't lost. */
export function useTypedBefore(value: string | undefined, onChange: ((value: string) => void) | undefined) {
  const frame = useRef<HTMLDivElement>(null);
  const takeOver = useEffectEvent(() => {
    const typed = frame.current?.querySelector<HTMLInputElement | HTMLTextAreaElement>(
      "input, textarea",
    )?.value;
    if (value !== undefined && typed !== undefined && typed !== value) onChange?.(typed);
  });
  useEffect(() => takeOver(), []);
  return frame;
}
