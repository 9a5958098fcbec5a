"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/lazy-dialogs";
import { lazyPart } from "@/components/ui/lazy-part";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";

const InvitationLink = lazyPart(async () => (await import("./invitation-link")).InvitationLink);

/** Makes a new link, or ends the invitation. `email`: empty if anyone can accept it. */
export function InvitationActions({ id, email }: { id: string; email: string }) {
  const router = useRouter();
  const whose = email === "" ? "the invitation for anyone" : `the invitation for ${email}`;
  const path = `/api/organization/invitations/${id}`;
  const renew = useMutation({
    mutationFn: () =>
      callApi("POST", `${path}/renew`, {
        answer: async () => (await import("@/lib/contract/invitation")).createdInvitation,
      }),
    gcTime: 0,
    onSuccess: () => router.refresh(),
  });
  const revoke = useMutation({
    mutationFn: () => callApi("DELETE", path),
    onSuccess: () => router.refresh(),
  });
  return (
    <>
      <span className="inline-flex gap-2">
        <Button
          size="small"
          onPress={() => renew.mutate()}
          isPending={renew.isPending}
          aria-label={`New link for ${whose}`}
        >
          New link
        </Button>
        <Button
          size="small"
          onPress={() => revoke.mutate()}
          isPending={revoke.isPending}
          aria-label={`Revoke ${whose}`}
        >
          Revoke
        </Button>
      </span>
      <ProblemNotice error={renew.error ?? revoke.error} className="mt-2 text-left" />
      <Dialog
        isOpen={renew.data !== undefined}
        onOpenChange={renew.reset}
        title="New link"
        description="The earlier link no longer works."
        footer={<Button onPress={renew.reset}>Done</Button>}
      >
        {renew.data !== undefined && <InvitationLink invitation={renew.data} email={email} />}
      </Dialog>
    </>
  );
}
