"use client";

import { useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { FormPasswordField, lazyResolver } from "@/components/ui/form-fields";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import { leaveFor } from "@/lib/client/navigation";
import type { NewOwnerFields } from "@/lib/contract/account";
import { BrokenLink } from "./broken-link";
import { trySignIn } from "./try-sign-in";
import { isToken, useLinkToken } from "./use-link-token";

/** Creates the account, and signs in to it. */
export function ConfirmSignUpForm() {
  const token = useLinkToken();
  const { control, handleSubmit } = useForm<NewOwnerFields>({
    resolver: lazyResolver(async () => (await import("@/lib/contract/account")).newOwnerFields),
    defaultValues: { password: "" },
  });
  const confirm = useMutation({
    mutationFn: async ({ password }: NewOwnerFields) => {
      const { accountAddress } = await import("@/lib/contract/account");
      return callApi("POST", "/api/sign-up/confirm", { body: { token, password }, answer: accountAddress });
    },
    onSuccess: async ({ email }, { password }) => {
      const result = await trySignIn({ email, password });
      leaveFor(result.state === "signed-in" ? "/home" : "/sign-in");
    },
  });
  if (token !== undefined && !isToken(token)) return <BrokenLink />;
  return (
    <form
      onSubmit={handleSubmit((input) => confirm.mutate(input))}
      noValidate
      method="post"
      className="flex flex-col gap-5"
    >
      <ProblemNotice error={confirm.error} />
      <FormPasswordField
        control={control}
        name="password"
        label="Password"
        hint="The one that you chose when you signed up."
        autoComplete="current-password"
        isRequired
      />
      <Button type="submit" tone="primary" isPending={confirm.isPending || confirm.isSuccess}>
        Confirm address
      </Button>
    </form>
  );
}
