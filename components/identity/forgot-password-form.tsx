"use client";

import { useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { lazyResolver } from "@/components/ui/form-fields";
import { callApi } from "@/lib/client/api";
import type { PasswordResetInput } from "@/lib/contract/account";
import { EmailField, IdentityForm } from "./identity-form";
import { MailSent } from "./mail-sent";

export function ForgotPasswordForm() {
  const { control, handleSubmit } = useForm<PasswordResetInput>({
    resolver: lazyResolver(async () => (await import("@/lib/contract/account")).passwordResetInput),
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
