"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useId } from "react";
import { useController, useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog } from "@/components/ui/forms/dialog";
import { FormTextField, lazyResolver } from "@/components/ui/forms/form-fields";
import { SelectField } from "@/components/ui/forms/select-field";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi, showIssues, withoutShownIssues } from "@/lib/client/api";
import {
  type CreatedInvitation,
  type InvitationInput,
  invitationInput,
} from "@/lib/contract/accounts/account";
import { ROLE_CHOICES } from "@/lib/domain/accounts/organization";

interface InviteDialogProps {
  sendsMail: boolean;
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
}

const EMPTY: InvitationInput = { role: "operator", email: "" };

/** Creates an invitation, and shows its link once. */
export function InviteDialog({ sendsMail, isOpen, onOpenChange }: InviteDialogProps) {
  const router = useRouter();
  const formId = useId();
  const { control, handleSubmit, setError, reset } = useForm<InvitationInput>({
    resolver: lazyResolver(() => Promise.resolve(invitationInput)),
    defaultValues: EMPTY,
  });
  const role = useController({ control, name: "role" });
  const create = useMutation({
    mutationFn: (input: InvitationInput) =>
      callApi("POST", "/api/organization/invitations", {
        body: input,
        answer: async () => (await import("@/lib/contract/accounts/account")).createdInvitation,
      }),
    gcTime: 0,
    onSuccess: () => router.refresh(),
    onError: (error) => showIssues(error, EMPTY, setError),
  });
  const close = () => {
    onOpenChange(false);
    // What was typed stays until it was sent.
    if (create.isSuccess) reset();
    create.reset();
  };
  const { data, variables } = create;
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={close}
      isBusy={create.isPending}
      title={data === undefined ? "Invite a colleague" : "Invitation created"}
      footer={
        data === undefined ? (
          <>
            <Button onPress={close} isDisabled={create.isPending}>
              Cancel
            </Button>
            <Button type="submit" form={formId} tone="primary" isPending={create.isPending}>
              Create invitation
            </Button>
          </>
        ) : (
          <Button onPress={close}>Done</Button>
        )
      }
    >
      {data !== undefined ? (
        <InvitationLink invitation={data} email={variables?.email ?? ""} />
      ) : (
        <form
          id={formId}
          onSubmit={handleSubmit((input) => create.mutate(input))}
          noValidate
          method="post"
          className="flex flex-col gap-5"
        >
          <ProblemNotice error={withoutShownIssues(create.error, EMPTY)} />
          <SelectField
            label="Role"
            isRequired
            options={[...ROLE_CHOICES]}
            value={role.field.value}
            onChange={role.field.onChange}
          />
          <FormTextField
            control={control}
            name="email"
            label="Email"
            type="email"
            autoComplete="off"
            hint={
              sendsMail
                ? "We send the link to this address, and it works only for this address. Without an address, anyone with the link can use it."
                : "The link works only for this address. Without an address, anyone with the link can use it."
            }
          />
        </form>
      )}
    </Dialog>
  );
}

/** A new link. It is only in the page's memory. */
export function InvitationLink({ invitation, email }: { invitation: CreatedInvitation; email: string }) {
  return (
    <div className="flex flex-col gap-4">
      <Notice
        tone={invitation.mailed ? "success" : "warning"}
        title={invitation.mailed ? `Sent to ${email}` : "Copy the link now"}
      >
        {invitation.mailed
          ? "You can also give the link to your colleague yourself. It won't be shown again."
          : "You won't see it again: only a hash of it is stored."}{" "}
        It works once, within 7 days{email === "" ? "" : `, and only for ${email}`}.
      </Notice>
      <CodeBlock label="Link" wrap code={invitation.url} />
    </div>
  );
}
