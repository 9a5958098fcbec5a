"use client";

import { useMutation } from "@tanstack/react-query";
import { Button } from "@/components/ui/button";
import { LinkButton } from "@/components/ui/link-button";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import { BrokenLink } from "./broken-link";
import { isToken, useLinkToken } from "./use-link-token";

/** A button, because programs that check mail open links too. */
export function ConfirmEmail() {
  const token = useLinkToken();
  const confirm = useMutation({
    mutationFn: () =>
      callApi("POST", "/api/confirm-email", {
        body: { token },
        answer: async () => (await import("@/lib/contract/account")).accountAddress,
      }),
  });
  if (token !== undefined && !isToken(token)) return <BrokenLink />;
  if (confirm.isSuccess)
    return (
      <Notice
        tone="success"
        title="Your email address is changed"
        actions={
          <LinkButton href="/account" tone="primary">
            Open your account
          </LinkButton>
        }
      >
        Sign in as {confirm.data.email} from now on.
      </Notice>
    );
  return (
    <div className="flex flex-col gap-5">
      <ProblemNotice error={confirm.error} />
      <Button tone="primary" onPress={() => confirm.mutate()} isPending={confirm.isPending}>
        Confirm address
      </Button>
    </div>
  );
}
