"use client";

import { useForm } from "react-hook-form";
import { AccountForm } from "@/components/identity/account-form";
import { lazyResolver } from "@/components/ui/form-fields";
import type { InvitedPersonInput } from "@/lib/contract/invitation";

const EMPTY: InvitedPersonInput = { name: "", email: "", password: "" };

/** Creates an account that joins the organization. `email`: the only address that can, if there is one. */
export function InvitedSignUpForm({ token, email }: { token: string; email: string | null }) {
  const form = useForm<InvitedPersonInput>({
    resolver: lazyResolver(async () => (await import("@/lib/contract/invitation")).invitedPersonInput),
    defaultValues: { ...EMPTY, email: email ?? "" },
  });
  return (
    <AccountForm
      path={`/api/invitations/${token}/sign-up`}
      form={form}
      fields={EMPTY}
      fixedEmail={email ?? undefined}
      submit="Create account and join"
      created="You joined, but sign-in failed"
      mailed="confirm your address and join"
    />
  );
}
