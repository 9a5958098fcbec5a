"use client";

import {
  type Control,
  type FieldPath,
  type FieldValues,
  type Resolver,
  useController,
} from "react-hook-form";
import type { z } from "zod";
import {
  PasswordField,
  type PasswordFieldProps,
  TextArea,
  type TextAreaProps,
  TextField,
  type TextFieldProps,
} from "./fields";
import type { ExactFieldProps } from "./exact-field";
import { SecretField } from "./secret-field";

interface Location<Values extends FieldValues> {
  control: Control<Values>;
  name: FieldPath<Values>;
}

type FormFieldProps<Values extends FieldValues, Props> = Location<Values> &
  Omit<Props, "name" | "value" | "defaultValue" | "onBlur" | "ref">;

/** A text field whose value, error, and focus belong to a form. */
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

export function FormSecretField<Values extends FieldValues>(
  props: FormFieldProps<
    Values,
    Omit<ExactFieldProps, "onChange"> & Partial<Pick<ExactFieldProps, "onChange">>
  >,
) {
  return <SecretField {...props} {...useFormField(props)} />;
}

interface HookInput<Values extends FieldValues> extends Location<Values> {
  /** Shown if the form has no error for this field. */
  error?: string;
  /** Called after the form has the value. */
  onChange?: (value: string) => void;
}

function useFormField<Values extends FieldValues>({ control, name, error, onChange }: HookInput<Values>) {
  const { field, fieldState } = useController({ control, name });
  const value: unknown = field.value;
  return {
    ...field,
    // Belongs to the form, not to the field.
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
