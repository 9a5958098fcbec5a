"use client";

import { useMutation } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog, Dialog, lazyDialog, lazyPart } from "@/components/ui/forms/lazy-code";
import { Checkbox } from "@/components/ui/forms/toggles";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import { leaveFor } from "@/lib/client/navigation";

const InviteDialog = lazyDialog(async () => (await import("./invite-dialog")).InviteDialog);

export function InviteButton({ sendsMail }: { sendsMail: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button tone="primary" onPress={() => setOpen(true)}>
        <UserPlus aria-hidden className="size-4" />
        Invite
      </Button>
      <InviteDialog sendsMail={sendsMail} isOpen={open} onOpenChange={setOpen} />
    </>
  );
}

const InvitationLink = lazyPart(async () => (await import("./invite-dialog")).InvitationLink);

/** Makes a new link, or ends the invitation. `email`: empty if anyone can accept it. */
export function InvitationActions({ id, email }: { id: string; email: string }) {
  const router = useRouter();
  const whose = email === "" ? "the invitation for anyone" : `the invitation for ${email}`;
  const path = `/api/organization/invitations/${id}`;
  const renew = useMutation({
    mutationFn: () =>
      callApi("POST", `${path}/renew`, {
        answer: async () => (await import("@/lib/contract/accounts/account")).createdInvitation,
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

interface RemoveMemberButtonProps {
  /** `apiKeys`: working ones that the member created. */
  member: { userId: string; name: string; apiKeys: number };
}

export function RemoveMemberButton({ member: { userId, name, apiKeys } }: RemoveMemberButtonProps) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [revokeApiKeys, setRevokeApiKeys] = useState(true);
  const remove = useMutation({
    mutationFn: () =>
      callApi("POST", `/api/organization/members/${userId}/remove`, {
        body: { revokeApiKeys: revokeApiKeys && apiKeys > 0 },
      }),
    onSuccess: () => {
      setOpen(false);
      router.refresh();
    },
  });
  return (
    <>
      <Button size="small" onPress={() => setOpen(true)} aria-label={`Remove ${name}`}>
        Remove
      </Button>
      <ConfirmDialog
        isOpen={open}
        onOpenChange={() => {
          setOpen(false);
          remove.reset();
        }}
        title={`Remove ${name}?`}
        typeToConfirm={name}
        confirmText="Remove member"
        onConfirm={() => remove.mutate()}
        isPending={remove.isPending}
        error={remove.error}
      >
        <p>
          They lose access immediately, in every browser. Their account and everything they published remain.
        </p>
        {apiKeys > 0 && (
          <div className="mt-3">
            <Checkbox value={revokeApiKeys} onChange={setRevokeApiKeys}>
              Also revoke {apiKeys === 1 ? "the API key" : `the ${apiKeys} API keys`} that they created. Keep{" "}
              {apiKeys === 1 ? "it" : "them"} only if nobody outside your company knows{" "}
              {apiKeys === 1 ? "it" : "them"}.
            </Checkbox>
          </div>
        )}
      </ConfirmDialog>
    </>
  );
}

interface LeaveButtonProps {
  organizationName: string;
  isLastOwner: boolean;
}

export function LeaveButton({ organizationName, isLastOwner }: LeaveButtonProps) {
  const [open, setOpen] = useState(false);
  const leave = useMutation({
    mutationFn: () => callApi("POST", "/api/organization/leave"),
    onSuccess: () => leaveFor("/home"),
  });
  return (
    <>
      <Button onPress={() => setOpen(true)}>Leave</Button>
      {isLastOwner ? (
        <Dialog isOpen={open} onOpenChange={setOpen} title="You are the last owner" width="small">
          Nobody could manage {organizationName} if you left. Make another member an owner first.
        </Dialog>
      ) : (
        <ConfirmDialog
          isOpen={open}
          onOpenChange={() => {
            setOpen(false);
            leave.reset();
          }}
          title={`Leave ${organizationName}?`}
          typeToConfirm={organizationName}
          confirmText="Leave organization"
          onConfirm={() => leave.mutate()}
          isPending={leave.isPending || leave.isSuccess}
          error={leave.error}
        >
          You lose access immediately. An owner can invite you again.
        </ConfirmDialog>
      )}
    </>
  );
}
