"use client";

import type { Ref } from "react";
import { TextArea as AriaTextArea, TextField as AriaTextField } from "react-aria-components";
import { FieldLabel, FieldNotes, inputStyles, type FieldProps } from "./field-parts";
import { useTypedBefore } from "./use-typed-before";

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
