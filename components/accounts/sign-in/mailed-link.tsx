"use client";

import { useMutation } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { Button } from "@/components/ui/button";
import { LinkButton } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";

/** A button, because programs that check mail open links too. */
export function ConfirmEmail() {
  const token = useLinkToken();
  const confirm = useMutation({
    mutationFn: () =>
      callApi("POST", "/api/confirm-email", {
        body: { token },
        answer: async () => (await import("@/lib/contract/accounts/account")).accountAddress,
      }),
  });
  if (token !== undefined && !isToken(token)) return <BrokenLink />;
  if (confirm.isSuccess)
    return (
      <Notice
        tone="success"
        title="Your email address was changed"
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

/** The token of the link that led here, from the URL's fragment; empty if there is none. Undefined until the page is hydrated. */
export function useLinkToken(): string | undefined {
  return useSyncExternalStore(
    subscribe,
    () => location.hash.slice(1),
    () => undefined,
  );
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}

/** Of a token that was not copied in full. The platform would find no link with it either. */
export function isToken(token: string): boolean {
  return /^[\w-]{43}$/.test(token);
}

/** Instead of a form that needs the token of a link. */
export function BrokenLink() {
  return (
    <Notice tone="warning" title="This link is not complete">
      Open it again from the email, or copy all of it into the address bar.
    </Notice>
  );
}
