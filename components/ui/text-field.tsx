"use client";

import type { Ref } from "react";
import { Input, TextField as AriaTextField } from "react-aria-components";
import { FieldLabel, FieldNotes, inputStyles, type FieldProps } from "./field-parts";
import { useTypedBefore } from "./use-typed-before";

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
