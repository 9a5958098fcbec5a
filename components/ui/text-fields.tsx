"use client";

import { type Ref, useState } from "react";
import {
  Input,
  TextArea as AriaTextArea,
  TextField as AriaTextField,
  ToggleButton,
} from "react-aria-components";
import { FieldLabel, FieldNotes, type FieldProps, inputStyles, useTypedBefore } from "./field-parts";
import { Eye, EyeOff } from "lucide-react";

export interface TextFieldProps extends FieldProps {
  name?: string;
  value?: string;
  defaultValue?: string;
  onChange?: (value: string) => void;
  onBlur?: () => void;
  ref?: Ref<HTMLInputElement>;
  type?: "text" | "email" | "url" | "search";
  placeholder?: string;
  autoComplete?: string;
  maxLength?: number;
  /** For names, addresses and code. */
  mono?: boolean;
  autoFocus?: boolean;
}

export function TextField({
  label,
  hint,
  error,
  isRequired,
  className = "",
  ref,
  placeholder,
  mono,
  ...props
}: TextFieldProps) {
  const frame = useTypedBefore(props.value, props.onChange);
  return (
    <AriaTextField
      {...props}
      ref={frame}
      isRequired={isRequired}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      className={`flex flex-col gap-1.5 ${className}`}
    >
      <FieldLabel isRequired={isRequired}>{label}</FieldLabel>
      <Input ref={ref} placeholder={placeholder} className={inputStyles({ mono })} />
      <FieldNotes hint={hint} error={error} />
    </AriaTextField>
  );
}

export interface TextAreaProps extends FieldProps {
  name?: string;
  value?: string;
  defaultValue?: string;
  onChange?: (value: string) => void;
  onBlur?: () => void;
  ref?: Ref<HTMLTextAreaElement>;
  placeholder?: string;
  rows?: number;
  maxLength?: number;
  mono?: boolean;
}

export function TextArea({
  label,
  hint,
  error,
  isRequired,
  className = "",
  ref,
  placeholder,
  rows = 4,
  mono,
  ...props
}: TextAreaProps) {
  const frame = useTypedBefore(props.value, props.onChange);
  return (
    <AriaTextField
      {...props}
      ref={frame}
      isRequired={isRequired}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      className={`flex flex-col gap-1.5 ${className}`}
    >
      <FieldLabel isRequired={isRequired}>{label}</FieldLabel>
      <AriaTextArea
        ref={ref}
        rows={rows}
        placeholder={placeholder}
        spellCheck={mono !== true}
        className={inputStyles({ rows: "many", mono })}
      />
      <FieldNotes hint={hint} error={error} />
    </AriaTextField>
  );
}

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
