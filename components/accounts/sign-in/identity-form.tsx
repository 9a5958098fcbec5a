import type { ComponentProps, ReactNode } from "react";
import type { FieldValues } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { FormPasswordField, FormTextField } from "@/components/ui/forms/form-fields";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";

interface IdentityFormProps {
  onSubmit: ComponentProps<"form">["onSubmit"];
  error: unknown;
  submit: string;
  isPending: boolean;
  children: ReactNode;
}

/**
 * A form for people who are not signed in, with the error of the last try and one button. It posts before scripts load, so that
 * no password gets into a URL.
 */
export function IdentityForm({ onSubmit, error, submit, isPending, children }: IdentityFormProps) {
  return (
    <form onSubmit={onSubmit} noValidate method="post" className="flex flex-col gap-5">
      <ProblemNotice error={error} />
      {children}
      <Button type="submit" tone="primary" isPending={isPending}>
        {submit}
      </Button>
    </form>
  );
}

type Place<Values extends FieldValues> = Pick<
  ComponentProps<typeof FormTextField<Values>>,
  "control" | "name" | "hint" | "isDisabled"
>;

/** The address of an account, which browsers and password managers fill in. */
export function EmailField<Values extends FieldValues>(props: Place<Values>) {
  return <FormTextField {...props} label="Email" type="email" autoComplete="username" isRequired />;
}

export function NewPasswordField<Values extends FieldValues>({
  label,
  ...place
}: Pick<ComponentProps<typeof FormPasswordField<Values>>, "control" | "name" | "label">) {
  return (
    <FormPasswordField
      {...place}
      label={label}
      hint="At least 10 characters. Several unrelated words work well."
      autoComplete="new-password"
      isRequired
    />
  );
}

/** Nobody learns here whether the address has an account. The email says so. */
export function MailSent({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Notice tone="success" title="Check your email">
      <p>
        A message to <strong className="font-medium text-ink">{to}</strong> is on its way. {children}
      </p>
      <p className="mt-2">Nothing arrived? Look in the spam folder, and check the address for typos.</p>
    </Notice>
  );
}
