"use client";

import { useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { lazyResolver } from "@/components/ui/forms/form-fields";
import { LinkButton } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { callApi, showIssues, withoutShownIssues } from "@/lib/client/api";
import type { NewPasswordFields, PasswordResetInput } from "@/lib/contract/accounts/account";
import { EmailField, IdentityForm, MailSent, NewPasswordField } from "./identity-form";
import { BrokenLink, isToken, useLinkToken } from "./mailed-link";

export function ForgotPasswordForm() {
  const { control, handleSubmit } = useForm<PasswordResetInput>({
    resolver: lazyResolver(async () => (await import("@/lib/contract/accounts/account")).passwordResetInput),
    defaultValues: { email: "" },
  });
  const request = useMutation({
    mutationFn: (input: PasswordResetInput) => callApi("POST", "/api/forgot-password", { body: input }),
  });
  if (request.isSuccess)
    return (
      <MailSent to={request.variables.email}>
        If the address has an account, the message contains a link to set a new password. The link works for
        one hour.
      </MailSent>
    );
  return (
    <IdentityForm
      onSubmit={handleSubmit((input) => request.mutate(input))}
      error={request.error}
      submit="Send link"
      isPending={request.isPending}
    >
      <EmailField control={control} name="email" />
    </IdentityForm>
  );
}

const EMPTY: NewPasswordFields = { password: "" };

export function NewPasswordForm() {
  const token = useLinkToken();
  const { control, handleSubmit, setError } = useForm<NewPasswordFields>({
    resolver: lazyResolver(async () => (await import("@/lib/contract/accounts/account")).newPasswordFields),
    defaultValues: EMPTY,
  });
  const save = useMutation({
    mutationFn: ({ password }: NewPasswordFields) =>
      callApi("POST", "/api/new-password", {
        body: { token, password },
        answer: async () => (await import("@/lib/contract/accounts/account")).accountAddress,
      }),
    onError: (error) => showIssues(error, EMPTY, setError),
  });
  if (token !== undefined && !isToken(token)) return <BrokenLink />;
  if (save.isSuccess)
    return (
      <Notice
        tone="success"
        title="Your new password is set"
        actions={
          <LinkButton href="/sign-in" tone="primary">
            Sign in
          </LinkButton>
        }
      >
        Your account is {save.data.email}. All sessions were ended, so sign in again with the new password.
      </Notice>
    );
  return (
    <IdentityForm
      onSubmit={handleSubmit((input) => save.mutate(input))}
      error={withoutShownIssues(save.error, EMPTY)}
      submit="Set password"
      isPending={save.isPending}
    >
      <NewPasswordField control={control} name="password" label="New password" />
    </IdentityForm>
  );
}
