"use client";

import { signIn } from "next-auth/react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { FormPasswordField, FormTextField } from "@/components/ui/form-fields";
import { lazyResolver } from "@/components/ui/form-fields";
import { Notice } from "@/components/ui/notice";
import { leaveFor } from "@/lib/client/navigation";
import type { SignInInput } from "@/lib/contract/organization";

/** `destination`: a path of this origin, checked by the page. */
export function SignInForm({ destination }: { destination: string }) {
  const { control, handleSubmit, formState } = useForm<SignInInput>({
    resolver: lazyResolver(async () => (await import("@/lib/contract/organization")).signInInput),
    defaultValues: { email: "", password: "" },
  });
  const [failure, setFailure] = useState<string>();
  const [leaving, setLeaving] = useState(false);
  const submit = handleSubmit(async (input) => {
    setFailure(undefined);
    const error = await trySignIn(input);
    if (error !== undefined) return setFailure(error);
    setLeaving(true);
    leaveFor(destination);
  });
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-5" method="post">
      {failure !== undefined && (
        <Notice tone="danger" title="Sign-in failed">
          {failure}
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

/** Why it failed, as the user reads it; undefined if it worked. */
export async function trySignIn(input: { email: string; password: string }): Promise<string | undefined> {
  const answer = await signIn("credentials", { redirect: false, ...input }).catch(() => undefined);
  if (answer === undefined) return "Can't reach the platform. Check your connection and try again.";
  if (answer.ok && !answer.error) return undefined;
  if (answer.error === "CredentialsSignin") return "Wrong email or password.";
  if (answer.error === "TOO_MANY_REQUESTS") return "Too many attempts. Wait a minute and try again.";
  return "Sign-in failed because of an error on our side. Try again in a moment.";
}
