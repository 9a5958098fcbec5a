"use client";

import { useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { FormTextField, lazyResolver } from "@/components/ui/form-fields";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import type { PasswordResetInput } from "@/lib/contract/account";
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
    <form
      onSubmit={handleSubmit((input) => request.mutate(input))}
      noValidate
      method="post"
      className="flex flex-col gap-5"
    >
      <ProblemNotice error={request.error} />
      <FormTextField
        control={control}
        name="email"
        label="Email"
        type="email"
        autoComplete="username"
        isRequired
      />
      <Button type="submit" tone="primary" isPending={request.isPending}>
        Send link
      </Button>
    </form>
  );
}
