"use client";

import { useController, type Control, type FieldPath, type FieldValues } from "react-hook-form";
import { PasswordField, type PasswordFieldProps } from "./password-field";
import { TextArea, type TextAreaProps } from "./text-area";
import { TextField, type TextFieldProps } from "./text-field";

interface Place<Values extends FieldValues> {
  control: Control<Values>;
  name: FieldPath<Values>;
}

type FormFieldProps<Values extends FieldValues, Props> = Place<Values> &
  Omit<Props, "name" | "value" | "defaultValue" | "onBlur" | "ref">;

/** A text field of a form: its value, its issue and its focus are the form's. */
export function FormTextField<Values extends FieldValues>(props: FormFieldProps<Values, TextFieldProps>) {
  return <TextField {...props} {...useFormField(props)} />;
}

export function FormTextArea<Values extends FieldValues>(props: FormFieldProps<Values, TextAreaProps>) {
  return <TextArea {...props} {...useFormField(props)} />;
}

export function FormPasswordField<Values extends FieldValues>(
  props: FormFieldProps<Values, PasswordFieldProps>,
) {
  return <PasswordField {...props} {...useFormField(props)} />;
}

interface Heard<Values extends FieldValues> extends Place<Values> {
  /** Shown where the form has no issue of the field. */
  error?: string;
  /** Called after the form has the value. */
  onChange?: (value: string) => void;
}

function useFormField<Values extends FieldValues>({ control, name, error, onChange }: Heard<Values>) {
  const { field, fieldState } = useController({ control, name });
  const value: unknown = field.value;
  return {
    ...field,
    // The form's own, and no part of the field.
    control: undefined,
    value: typeof value === "string" ? value : "",
    error: fieldState.error?.message ?? error,
    onChange: (typed: string) => {
      field.onChange(typed);
      onChange?.(typed);
    },
  };
}
