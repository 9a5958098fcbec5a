"use client";

import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { FormProvider, type UseFormReturn, useFormContext } from "react-hook-form";
import { FormTextField } from "@/components/ui/form-fields";
import { Notice } from "@/components/ui/notice";
import { callApi } from "@/lib/client/api";
import { leaveFor } from "@/lib/client/navigation";
import { showIssues, withoutShownIssues } from "@/lib/client/show-issues";
import type { InvitedPersonInput } from "@/lib/contract/invitation";
import { EmailField, IdentityForm, NewPasswordField } from "./identity-form";
import { MailSent } from "./mail-sent";
import { trySignIn } from "./try-sign-in";

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
        answer: async () => (await import("@/lib/contract/account")).mailOutcome,
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
