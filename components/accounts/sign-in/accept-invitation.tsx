"use client";

import { useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { lazyResolver } from "@/components/ui/forms/form-fields";
import { LinkButton, TextLink } from "@/components/ui/links";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import { leaveFor } from "@/lib/client/navigation";
import type { InvitedPersonInput } from "@/lib/contract/accounts/account";
import { AccountForm } from "./sign-up-form";

interface AcceptInvitationProps {
  token: string;
  organizationName: string;
  /** Of the signed-in account. */
  email: string;
}

/** Joins with the account that is signed in. */
export function AcceptInvitation({ token, organizationName, email }: AcceptInvitationProps) {
  const accept = useMutation({
    mutationFn: () => callApi("POST", `/api/invitations/${token}/accept`),
    onSuccess: () => leaveFor("/home"),
  });
  return (
    <div className="flex flex-col gap-5">
      <p className="text-small wrap-anywhere text-ink-soft">
        <SignedInAs token={token} email={email} />
      </p>
      <ProblemNotice error={accept.error} />
      <div className="flex flex-wrap gap-2">
        <Button
          tone="primary"
          onPress={() => accept.mutate()}
          isPending={accept.isPending || accept.isSuccess}
        >
          Join {organizationName}
        </Button>
        <LinkButton href="/home">Not now</LinkButton>
      </div>
    </div>
  );
}

/** Whoever uses another account comes back to the invitation. */
export function SignedInAs({ token, email }: Pick<AcceptInvitationProps, "token" | "email">) {
  return (
    <>
      You are signed in as {email}.{" "}
      <TextLink href={`/sign-out?next=${encodeURIComponent(`/invitations/${token}`)}`}>
        Use another account
      </TextLink>
    </>
  );
}

const EMPTY: InvitedPersonInput = { name: "", email: "", password: "" };

/** Creates an account that joins the organization. `email`: the only address that can, if there is one. */
export function InvitedSignUpForm({ token, email }: { token: string; email: string | null }) {
  const form = useForm<InvitedPersonInput>({
    resolver: lazyResolver(async () => (await import("@/lib/contract/accounts/account")).invitedPersonInput),
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
