"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { FormPasswordField, FormTextField } from "@/components/ui/form-fields";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
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
      <FormTextField
        control={control}
        name="organizationName"
        label="Company"
        autoComplete="organization"
        isRequired
        onChange={(company) => {
          // Until the person writes the slug, it follows the company's name.
          if (!getFieldState("organizationSlug").isTouched)
            setValue("organizationSlug", suggestSlug(company), OPTIONS);
        }}
      />
      <FormTextField
        control={control}
        name="organizationSlug"
        label="Organization slug"
        hint="The first half of your apps' names, as in slug/app. It cannot be changed later."
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
        isPending={signUp.isPending || (signUp.isSuccess && signInRefusal === undefined)}
      >
        Create organization
      </Button>
    </form>
  );
}
