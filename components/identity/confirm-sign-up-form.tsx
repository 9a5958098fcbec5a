"use client";

import { useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { FormPasswordField, lazyResolver } from "@/components/ui/form-fields";
import { callApi } from "@/lib/client/api";
import { leaveFor } from "@/lib/client/navigation";
import type { NewOwnerFields } from "@/lib/contract/account";
import { BrokenLink } from "./broken-link";
import { IdentityForm } from "./identity-form";
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
    mutationFn: ({ password }: NewOwnerFields) =>
      callApi("POST", "/api/sign-up/confirm", {
        body: { token, password },
        answer: async () => (await import("@/lib/contract/account")).accountAddress,
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
