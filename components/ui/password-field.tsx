"use client";

import { Eye, EyeOff } from "lucide-react";
import { useState, type Ref } from "react";
import { Input, TextField as AriaTextField, ToggleButton } from "react-aria-components";
import { FieldLabel, FieldNotes, inputStyles, type FieldProps } from "./field-parts";
import { useTypedBefore } from "./use-typed-before";

export interface PasswordFieldProps extends FieldProps {
  name?: string;
  value?: string;
  onChange?: (value: string) => void;
  onBlur?: () => void;
  ref?: Ref<HTMLInputElement>;
  /** `off` for secrets that are no passwords of this site. */
  autoComplete?: "current-password" | "new-password" | "off";
  placeholder?: string;
  maxLength?: number;
}

/** Hidden by default; the eye shows what was typed here, never a stored value. */
export function PasswordField({
  label,
  hint,
  error,
  isRequired,
  className = "",
  ref,
  placeholder,
  ...props
}: PasswordFieldProps) {
  const [revealed, setRevealed] = useState(false);
  const frame = useTypedBefore(props.value, props.onChange);
  return (
    <AriaTextField
      {...props}
      ref={frame}
      type={revealed ? "text" : "password"}
      isRequired={isRequired}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      className={`flex flex-col gap-1.5 ${className}`}
    >
      <FieldLabel isRequired={isRequired}>{label}</FieldLabel>
      <span className="relative block">
        <Input
          ref={ref}
          placeholder={placeholder}
          spellCheck={false}
          className={inputStyles({ className: "pr-10" })}
        />
        <ToggleButton
          isSelected={revealed}
          onChange={setRevealed}
          aria-label={`Show ${label}`}
          className="absolute inset-y-0 right-0 flex w-9 cursor-pointer items-center justify-center rounded-field text-ink-faint hover:text-ink"
        >
          {revealed ? <EyeOff aria-hidden className="size-4" /> : <Eye aria-hidden className="size-4" />}
        </ToggleButton>
      </span>
      <FieldNotes hint={hint} error={error} />
    </AriaTextField>
  );
}
