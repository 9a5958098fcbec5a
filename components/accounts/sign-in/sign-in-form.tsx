"use client";

import { signIn } from "next-auth/react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { FormPasswordField, FormTextField, lazyResolver } from "@/components/ui/forms/form-fields";
import { TextLink } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { leaveFor } from "@/lib/client/navigation";
import type { SignInInput } from "@/lib/contract/accounts/account";
import { EmailField } from "./identity-form";
import { trySignIn } from "./try-sign-in";

interface SignInFormProps {
  /** A path of this origin, checked by the page. */
  destination: string;
  /** The name of the issuer with which people can sign in too. */
  oidcName?: string;
  /** Why an earlier try did not work. */
  failure?: string;
}

/** Asks for email and password, and then for a code if the account has a second factor. */
export function SignInForm({ destination, oidcName, failure: earlier }: SignInFormProps) {
  const { control, handleSubmit, formState, setValue } = useForm<SignInInput>({
    resolver: lazyResolver(async () => (await import("@/lib/contract/accounts/account")).signInInput),
    defaultValues: { email: "", password: "", code: "" },
  });
  const [failure, setFailure] = useState(earlier);
  const [step, setStep] = useState<"password" | "code">("password");
  const [leaving, setLeaving] = useState(false);
  const submit = handleSubmit(async (input) => {
    setFailure(undefined);
    const result = await trySignIn(input);
    if (result.state === "code-needed") return setStep("code");
    if (result.state === "failed") return setFailure(result.reason);
    setLeaving(true);
    leaveFor(destination);
  });
  const goBack = () => {
    setValue("code", "");
    setFailure(undefined);
    setStep("password");
  };
  const isPending = formState.isSubmitting || leaving;
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-5" method="post">
      {failure !== undefined && (
        <Notice tone="danger" title="Sign-in failed">
          {failure}
        </Notice>
      )}
      {step === "password" ? (
        <>
          <EmailField control={control} name="email" />
          <FormPasswordField
            control={control}
            name="password"
            label="Password"
            autoComplete="current-password"
            isRequired
          />
        </>
      ) : (
        <FormTextField
          key="code"
          control={control}
          name="code"
          label="Code"
          hint="The 6 digits that your authenticator app shows now, or a recovery code."
          autoComplete="one-time-code"
          mono
          autoFocus
          isRequired
        />
      )}
      <Button type="submit" tone="primary" isPending={isPending}>
        {step === "password" ? "Sign in" : "Verify"}
      </Button>
      {step === "password" ? (
        <p className="text-small">
          <TextLink href="/forgot-password">Forgot password?</TextLink>
        </p>
      ) : (
        <Button onPress={goBack}>Back</Button>
      )}
      {step === "password" && oidcName !== undefined && (
        <>
          <Divider />
          <OidcButton name={oidcName} destination={destination} />
        </>
      )}
    </form>
  );
}

function Divider() {
  return (
    <div aria-hidden className="flex items-center gap-3 text-xs text-ink-faint">
      <span className="h-px flex-1 bg-line" />
      or
      <span className="h-px flex-1 bg-line" />
    </div>
  );
}

function OidcButton({ name, destination }: { name: string; destination: string }) {
  const [isPending, setPending] = useState(false);
  const go = () => {
    setPending(true);
    void signIn("oidc", { callbackUrl: destination }).catch(() => setPending(false));
  };
  return (
    <Button onPress={go} isPending={isPending}>
      Continue with {name}
    </Button>
  );
}
