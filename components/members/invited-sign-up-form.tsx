"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { MailSent } from "@/components/identity/mail-sent";
import { trySignIn } from "@/components/identity/try-sign-in";
import { Button } from "@/components/ui/button";
import { FormPasswordField, FormTextField, lazyResolver } from "@/components/ui/form-fields";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import { leaveFor } from "@/lib/client/navigation";
import { showIssues, withoutShownIssues } from "@/lib/client/show-issues";
import type { InvitedPersonInput } from "@/lib/contract/invitation";

/** Creates an account that joins the organization. `email`: the only address that can, if there is one. */
export function InvitedSignUpForm({ token, email }: { token: string; email: string | null }) {
  const empty: InvitedPersonInput = { name: "", email: email ?? "", password: "" };
  const { control, handleSubmit, setError } = useForm<InvitedPersonInput>({
    resolver: lazyResolver(async () => (await import("@/lib/contract/invitation")).invitedPersonInput),
    defaultValues: empty,
  });
  const [signInFailure, setSignInFailure] = useState<string>();
  const signUp = useMutation({
    mutationFn: async (input: InvitedPersonInput) => {
      const { mailOutcome } = await import("@/lib/contract/account");
      return callApi("POST", `/api/invitations/${token}/sign-up`, { body: input, answer: mailOutcome });
    },
    onSuccess: async ({ outcome }, input) => {
      if (outcome === "MAILED") return;
      const result = await trySignIn(input);
      if (result.state === "signed-in") leaveFor("/home");
      else setSignInFailure(result.state === "failed" ? result.reason : "Sign in on the sign-in page.");
    },
    onError: (error) => showIssues(error, empty, setError),
  });
  if (signUp.isSuccess && signUp.data.outcome === "MAILED")
    return (
      <MailSent to={signUp.variables.email}>
        Open the link in it to confirm your address and join. The link works for one hour.
      </MailSent>
    );
  return (
    <form
      onSubmit={handleSubmit((input) => signUp.mutate(input))}
      noValidate
      method="post"
      className="flex flex-col gap-5"
    >
      <ProblemNotice error={withoutShownIssues(signUp.error, empty)} />
      {signInFailure !== undefined && (
        <Notice tone="warning" title="You joined, but sign-in failed">
          {signInFailure}
        </Notice>
      )}
      <FormTextField control={control} name="name" label="Your name" autoComplete="name" isRequired />
      <FormTextField
        control={control}
        name="email"
        label="Email"
        type="email"
        autoComplete="username"
        isRequired
        isDisabled={email !== null}
        hint={email === null ? undefined : "The invitation is for this address."}
      />
      <FormPasswordField
        control={control}
        name="password"
        label="Password"
        hint="At least 10 characters."
        autoComplete="new-password"
        isRequired
      />
      <Button
        type="submit"
        tone="primary"
        isPending={signUp.isPending || (signUp.isSuccess && signInFailure === undefined)}
      >
        Create account and join
      </Button>
    </form>
  );
}
