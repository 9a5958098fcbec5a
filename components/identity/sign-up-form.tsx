"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { FormPasswordField, FormTextField, lazyResolver } from "@/components/ui/form-fields";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import { leaveFor } from "@/lib/client/navigation";
import { showIssues, withoutShownIssues } from "@/lib/client/show-issues";
import type { SignUpInput } from "@/lib/contract/organization";
import { suggestSlug } from "@/lib/domain/slug";
import { MailSent } from "./mail-sent";
import { trySignIn } from "./try-sign-in";

const EMPTY: SignUpInput = { name: "", email: "", password: "", organizationName: "", organizationSlug: "" };
const OPTIONS = { shouldDirty: true, shouldValidate: false } as const;

export function SignUpForm() {
  const form = useForm<SignUpInput>({
    resolver: lazyResolver(async () => (await import("@/lib/contract/organization")).signUpInput),
    defaultValues: EMPTY,
  });
  const { control, handleSubmit, setValue, getFieldState, setError } = form;
  const [signInFailure, setSignInFailure] = useState<string>();
  const signUp = useMutation({
    mutationFn: async (input: SignUpInput) => {
      const { mailOutcome } = await import("@/lib/contract/account");
      return callApi("POST", "/api/sign-up", { body: input, answer: mailOutcome });
    },
    onSuccess: async ({ outcome }, input) => {
      if (outcome === "MAILED") return;
      const result = await trySignIn(input);
      if (result.state === "signed-in") leaveFor("/");
      else setSignInFailure(result.state === "failed" ? result.reason : "Sign in on the sign-in page.");
    },
    onError: (error) => showIssues(error, EMPTY, setError),
  });
  if (signUp.isSuccess && signUp.data.outcome === "MAILED")
    return (
      <MailSent to={signUp.variables.email}>
        Open the link in it to confirm your address, and your organization is created. The link works for one
        hour.
      </MailSent>
    );
  return (
    <form
      onSubmit={handleSubmit((input) => signUp.mutate(input))}
      noValidate
      className="flex flex-col gap-5"
      method="post"
    >
      <ProblemNotice error={withoutShownIssues(signUp.error, EMPTY)} />
      {signInFailure !== undefined && (
        <Notice tone="warning" title="Organization created, but sign-in failed">
          {signInFailure}
        </Notice>
      )}
      <FormTextField
        control={control}
        name="organizationName"
        label="Company name"
        autoComplete="organization"
        isRequired
        onChange={(company) => {
          // The slug follows the company's name until the user edits it.
          if (!getFieldState("organizationSlug").isTouched)
            setValue("organizationSlug", suggestSlug(company), OPTIONS);
        }}
      />
      <FormTextField
        control={control}
        name="organizationSlug"
        label="Organization slug"
        hint="Starts the names of your apps, as in slug/app. You can't change it later."
        mono
        autoComplete="off"
        isRequired
      />
      <FormTextField control={control} name="name" label="Your name" autoComplete="name" isRequired />
      <FormTextField
        control={control}
        name="email"
        label="Email"
        type="email"
        autoComplete="username"
        isRequired
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
        Create organization
      </Button>
    </form>
  );
}
