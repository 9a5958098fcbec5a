"use client";

import {
  type Control,
  type FieldPath,
  type FieldValues,
  type Resolver,
  useController,
} from "react-hook-form";
import {
  PasswordField,
  type PasswordFieldProps,
  TextArea,
  type TextAreaProps,
  TextField,
  type TextFieldProps,
} from "./text-fields";
import type { z } from "zod";

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

/** Checks a form with a zod shape that is loaded when it is first needed: most visitors of a page send no form. */
export function lazyResolver<Values extends FieldValues>(
  load: () => Promise<z.ZodType<Values, Values>>,
): Resolver<Values> {
  return async (values, context, options) => {
    try {
      const [{ zodResolver }, shape] = await Promise.all([import("@hookform/resolvers/zod"), load()]);
      return await zodResolver(shape)(values, context, options);
    } catch {
      // The files could not be loaded. The server checks the input too, and says what is wrong.
      return { values, errors: {} };
    }
  };
}
