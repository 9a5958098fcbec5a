"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { signIn } from "next-auth/react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { FormPasswordField, FormTextField } from "@/components/ui/form-fields";
import { Notice } from "@/components/ui/notice";
import { leaveFor } from "@/lib/client/leave-for";
import { signInInput } from "@/lib/contract/organization";

/** `destination`: a path of this origin, checked by the page. */
export function SignInForm({ destination }: { destination: string }) {
  const { control, handleSubmit, formState } = useForm({
    resolver: zodResolver(signInInput),
    defaultValues: { email: "", password: "" },
  });
  const [refusal, setRefusal] = useState<string>();
  const [leaving, setLeaving] = useState(false);
  const submit = handleSubmit(async (input) => {
    setRefusal(undefined);
    const error = await trySignIn(input);
    if (error !== undefined) return setRefusal(error);
    setLeaving(true);
    leaveFor(destination);
  });
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-5" method="post">
      {refusal !== undefined && (
        <Notice tone="danger" title="You are not signed in">
          {refusal}
        </Notice>
      )}
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
        autoComplete="current-password"
        isRequired
      />
      <Button type="submit" tone="primary" isPending={formState.isSubmitting || leaving}>
        Sign in
      </Button>
    </form>
  );
}

/** What to tell the person when it did not work; undefined when it did. */
export async function trySignIn(input: { email: string; password: string }): Promise<string | undefined> {
  const answer = await signIn("credentials", { redirect: false, ...input }).catch(() => undefined);
  if (answer === undefined) return "The platform cannot be reached. Check your connection, then try again.";
  if (answer.ok && !answer.error) return undefined;
  if (answer.error === "CredentialsSignin")
    return "Email and password do not belong together. Check both, then try again.";
  if (answer.error === "TOO_MANY_REQUESTS") return "Too many tries. Wait a minute, then try again.";
  return "Signing in did not work, and it is not your fault. Try again in a moment.";
}
