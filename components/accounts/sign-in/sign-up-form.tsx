"use client";

import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { FormProvider, useForm, useFormContext, type UseFormReturn } from "react-hook-form";
import { FormPasswordField, FormTextField, lazyResolver } from "@/components/ui/forms/form-fields";
import { Notice } from "@/components/ui/notice";
import { callApi, showIssues, withoutShownIssues } from "@/lib/client/api";
import { leaveFor } from "@/lib/client/navigation";
import type { InvitedPersonInput, NewOwnerFields, SignUpInput } from "@/lib/contract/accounts/account";
import { OrganizationFields } from "../organization/new-organization-form";
import { EmailField, IdentityForm, MailSent, NewPasswordField } from "./identity-form";
import { BrokenLink, isToken, useLinkToken } from "./mailed-link";
import { trySignIn } from "./try-sign-in";

const EMPTY: SignUpInput = { name: "", email: "", password: "", organizationName: "", organizationSlug: "" };

/** Creates an organization with its owner. `person`: what is known about someone who comes from an identity provider. */
export function SignUpForm({ person }: { person?: Pick<SignUpInput, "name" | "email"> }) {
  const form = useForm<SignUpInput>({
    resolver: lazyResolver(async () => (await import("@/lib/contract/accounts/account")).signUpInput),
    defaultValues: { ...EMPTY, ...person },
  });
  return (
    <AccountForm
      path="/api/sign-up"
      form={form}
      fields={EMPTY}
      submit="Create organization"
      created="Organization created, but sign-in failed"
      mailed="confirm your address and create your organization"
    >
      <OrganizationFields />
    </AccountForm>
  );
}

interface AccountFormProps<Input extends InvitedPersonInput> {
  /** The route handler that creates the account. */
  path: string;
  form: UseFormReturn<Input>;
  /** Each field of the form, whatever its value. */
  fields: Input;
  /** The only address that can be used, if there is one. */
  fixedEmail?: string;
  submit: string;
  /** The title of a notice if the account was created, but signing in to it failed. */
  created: string;
  /** What the link does, where the address is confirmed by email first. */
  mailed: string;
  /** Fields above those of the person. */
  children?: ReactNode;
}

/** Creates an account and signs in to it, or says that an email was sent. */
export function AccountForm<Input extends InvitedPersonInput>(props: AccountFormProps<Input>) {
  const { path, form, fields, fixedEmail, submit, created, mailed, children } = props;
  const [signInFailure, setSignInFailure] = useState<string>();
  const signUp = useMutation({
    mutationFn: (input: Input) =>
      callApi("POST", path, {
        body: input,
        answer: async () => (await import("@/lib/contract/accounts/account")).mailOutcome,
      }),
    onSuccess: async ({ outcome }, input) => {
      if (outcome === "MAILED") return;
      const result = await trySignIn(input);
      if (result.state === "signed-in") leaveFor("/home");
      else
        setSignInFailure(result.state === "failed" ? result.reason : "Go to the sign-in page to continue.");
    },
    onError: (error) => showIssues(error, fields, form.setError),
  });
  if (signUp.isSuccess && signUp.data.outcome === "MAILED")
    return (
      <MailSent to={signUp.variables.email}>
        Open the link in it to {mailed}. The link works for one hour.
      </MailSent>
    );
  return (
    <FormProvider {...form}>
      <IdentityForm
        onSubmit={form.handleSubmit((input) => signUp.mutate(input))}
        error={withoutShownIssues(signUp.error, fields)}
        submit={submit}
        isPending={signUp.isPending || (signUp.isSuccess && signInFailure === undefined)}
      >
        {signInFailure !== undefined && (
          <Notice tone="warning" title={created}>
            {signInFailure}
          </Notice>
        )}
        {children}
        <PersonFields fixedEmail={fixedEmail} />
      </IdentityForm>
    </FormProvider>
  );
}

function PersonFields({ fixedEmail }: { fixedEmail?: string }) {
  const { control } = useFormContext<InvitedPersonInput>();
  return (
    <>
      <FormTextField control={control} name="name" label="Your name" autoComplete="name" isRequired />
      <EmailField
        control={control}
        name="email"
        isDisabled={fixedEmail !== undefined}
        hint={fixedEmail === undefined ? undefined : "The invitation is for this address."}
      />
      <NewPasswordField control={control} name="password" label="Password" />
    </>
  );
}

/** Creates the account, and signs in to it. */
export function ConfirmSignUpForm() {
  const token = useLinkToken();
  const { control, handleSubmit } = useForm<NewOwnerFields>({
    resolver: lazyResolver(async () => (await import("@/lib/contract/accounts/account")).newOwnerFields),
    defaultValues: { password: "" },
  });
  const confirm = useMutation({
    mutationFn: ({ password }: NewOwnerFields) =>
      callApi("POST", "/api/sign-up/confirm", {
        body: { token, password },
        answer: async () => (await import("@/lib/contract/accounts/account")).accountAddress,
      }),
    onSuccess: async ({ email }, { password }) => {
      const result = await trySignIn({ email, password });
      leaveFor(result.state === "signed-in" ? "/home" : "/sign-in");
    },
  });
  if (token !== undefined && !isToken(token)) return <BrokenLink />;
  return (
    <IdentityForm
      onSubmit={handleSubmit((input) => confirm.mutate(input))}
      error={confirm.error}
      submit="Confirm address"
      isPending={confirm.isPending || confirm.isSuccess}
    >
      <FormPasswordField
        control={control}
        name="password"
        label="Password"
        hint="The password that you chose when you signed up."
        autoComplete="current-password"
        isRequired
      />
    </IdentityForm>
  );
}
