"use client";

import { useMutation } from "@tanstack/react-query";
import { Button } from "@/components/ui/button";
import { LinkButton } from "@/components/ui/link-button";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import { leaveFor } from "@/lib/client/navigation";

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
      <p className="text-[13px] wrap-anywhere text-ink-soft">You are signed in as {email}.</p>
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
