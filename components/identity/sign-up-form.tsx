"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Controller, useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { PasswordField } from "@/components/ui/password-field";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { TextField } from "@/components/ui/text-field";
import { callApi } from "@/lib/client/api";
import { leaveFor } from "@/lib/client/leave-for";
import { showIssues, withoutShown } from "@/lib/client/show-issues";
import { signUpInput, type SignUpInput } from "@/lib/contract/organization";
import { suggestSlug } from "@/lib/domain/slug";
import { trySignIn } from "./sign-in-form";

const EMPTY: SignUpInput = { name: "", email: "", password: "", organizationName: "", organizationSlug: "" };
const OPTIONS = { shouldDirty: true, shouldValidate: false } as const;

export function SignUpForm() {
  const form = useForm({ resolver: zodResolver(signUpInput), defaultValues: EMPTY });
  const { control, handleSubmit, setValue, getFieldState, setError } = form;
  const [signInRefusal, setSignInRefusal] = useState<string>();
  const signUp = useMutation({
    mutationFn: (input: SignUpInput) => callApi("POST", "/api/sign-up", { body: input }),
    onSuccess: async (_answer, input) => {
      const refusal = await trySignIn(input);
      if (refusal === undefined) leaveFor("/");
      else setSignInRefusal(refusal);
    },
    onError: (error) => showIssues(error, EMPTY, setError),
  });
  return (
    <form
      onSubmit={handleSubmit((input) => signUp.mutate(input))}
      noValidate
      className="flex flex-col gap-5"
      method="post"
    >
      <ProblemNotice error={withoutShown(signUp.error, EMPTY)} />
      {signInRefusal !== undefined && (
        <Notice tone="warning" title="Your organization exists, but you are not signed in">
          {signInRefusal}
        </Notice>
      )}
      <Controller
        control={control}
        name="organizationName"
        render={({ field, fieldState }) => (
          <TextField
            {...field}
            label="Company"
            autoComplete="organization"
            isRequired
            error={fieldState.error?.message}
            onChange={(value) => {
              field.onChange(value);
              // Until the person writes the slug, it follows the company's name.
              if (!getFieldState("organizationSlug").isTouched)
                setValue("organizationSlug", suggestSlug(value), OPTIONS);
            }}
          />
        )}
      />
      <Controller
        control={control}
        name="organizationSlug"
        render={({ field, fieldState }) => (
          <TextField
            {...field}
            label="Organization slug"
            hint="The first half of your apps' names, as in slug/app. It cannot be changed later."
            mono
            autoComplete="off"
            isRequired
            error={fieldState.error?.message}
          />
        )}
      />
      <Controller
        control={control}
        name="name"
        render={({ field, fieldState }) => (
          <TextField
            {...field}
            label="Your name"
            autoComplete="name"
            isRequired
            error={fieldState.error?.message}
          />
        )}
      />
      <Controller
        control={control}
        name="email"
        render={({ field, fieldState }) => (
          <TextField
            {...field}
            label="Email"
            type="email"
            autoComplete="username"
            isRequired
            error={fieldState.error?.message}
          />
        )}
      />
      <Controller
        control={control}
        name="password"
        render={({ field, fieldState }) => (
          <PasswordField
            {...field}
            label="Password"
            hint="At least 10 characters."
            autoComplete="new-password"
            isRequired
            error={fieldState.error?.message}
          />
        )}
      />
      <Button
        type="submit"
        tone="primary"
        isPending={signUp.isPending || (signUp.isSuccess && signInRefusal === undefined)}
      >
        Create organization
      </Button>
    </form>
  );
}
