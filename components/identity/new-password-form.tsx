"use client";

import { useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { lazyResolver } from "@/components/ui/form-fields";
import { LinkButton } from "@/components/ui/link-button";
import { Notice } from "@/components/ui/notice";
import { callApi } from "@/lib/client/api";
import { showIssues, withoutShownIssues } from "@/lib/client/show-issues";
import type { NewPasswordFields } from "@/lib/contract/account";
import { BrokenLink } from "./broken-link";
import { IdentityForm, NewPasswordField } from "./identity-form";
import { isToken, useLinkToken } from "./use-link-token";

const EMPTY: NewPasswordFields = { password: "" };

export function NewPasswordForm() {
  const token = useLinkToken();
  const { control, handleSubmit, setError } = useForm<NewPasswordFields>({
    resolver: lazyResolver(async () => (await import("@/lib/contract/account")).newPasswordFields),
    defaultValues: EMPTY,
  });
  const save = useMutation({
    mutationFn: ({ password }: NewPasswordFields) =>
      callApi("POST", "/api/new-password", {
        body: { token, password },
        answer: async () => (await import("@/lib/contract/account")).accountAddress,
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
