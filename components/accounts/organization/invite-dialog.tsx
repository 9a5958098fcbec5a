"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog } from "@/components/ui/forms/dialog";
import { TextArea } from "@/components/ui/forms/fields";
import { SelectField } from "@/components/ui/forms/select-field";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi, toProblemBody } from "@/lib/client/api";
import {
  type CreatedInvitation,
  type InvitationInput,
  invitationInput,
} from "@/lib/contract/accounts/account";
import type { Role } from "@/lib/contract/platform/role";
import { listAddresses, ROLE_CHOICES } from "@/lib/domain/accounts/organization";

interface InviteDialogProps {
  sendsMail: boolean;
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
}

/** More are pasted in several goes. */
const MOST_ADDRESSES = 50;

interface Invited {
  address: string;
  invitation?: CreatedInvitation;
  /** Why it was not created. */
  error?: unknown;
}

/** Creates invitations, and shows their links once. */
export function InviteDialog({ sendsMail, isOpen, onOpenChange }: InviteDialogProps) {
  const router = useRouter();
  const formId = useId();
  const [role, setRole] = useState<Role>("operator");
  const [typed, setTyped] = useState("");
  const [issues, setIssues] = useState<readonly string[]>([]);
  const create = useMutation({
    mutationFn: (addresses: readonly string[]) => inviteAll(role, addresses),
    gcTime: 0,
    onSuccess: (results) => {
      // What was not invited stays, to be corrected.
      setTyped(results.flatMap(({ address, error }) => (error === undefined ? [] : [address])).join("\n"));
      setIssues(results.length === 1 ? [] : describeFailures(results));
      // A page that is drawn again for somebody who lost the right to invite has no dialog, and so no reason.
      if (results.some(({ error }) => error === undefined)) router.refresh();
    },
  });
  const results = create.data;
  const [only] = results ?? [];
  const isRefused = results?.length === 1 && only?.error !== undefined;
  const isDone = results !== undefined && !isRefused;
  const failed = results?.filter(({ error }) => error !== undefined).length ?? 0;
  const close = () => {
    onOpenChange(false);
    create.reset();
  };
  const submit = () => {
    const addresses = listAddresses(typed);
    const found = findIssues(addresses);
    setIssues(found);
    if (found.length === 0) create.mutate(addresses.length === 0 ? [""] : addresses);
  };
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={close}
      isBusy={create.isPending}
      title={isDone ? describeEnd(results.length - failed, failed) : "Invite colleagues"}
      footer={
        isDone ? (
          <>
            {failed > 0 && <Button onPress={create.reset}>Correct the rest</Button>}
            <Button onPress={close}>Done</Button>
          </>
        ) : (
          <>
            <Button onPress={close} isDisabled={create.isPending}>
              Cancel
            </Button>
            <Button type="submit" form={formId} tone="primary" isPending={create.isPending}>
              {listAddresses(typed).length > 1
                ? `Create ${listAddresses(typed).length} invitations`
                : "Create invitation"}
            </Button>
          </>
        )
      }
    >
      {isDone ? (
        <Results results={results} />
      ) : (
        <form
          id={formId}
          onSubmit={(event) => {
            event.preventDefault();
            if (!create.isPending) submit();
          }}
          noValidate
          method="post"
          className="flex flex-col gap-5"
        >
          <ProblemNotice error={only?.error ?? create.error} />
          <SelectField
            label="Role"
            isRequired
            options={[...ROLE_CHOICES]}
            value={role}
            onChange={(value) => setRole(ROLE_CHOICES.find((each) => each.value === value)?.value ?? role)}
          />
          <TextArea
            label="Email addresses"
            name="emails"
            rows={3}
            autoComplete="off"
            value={typed}
            onChange={(text) => {
              setTyped(text);
              setIssues([]);
            }}
            error={issues.length > 1 ? `Correct these ${issues.length} addresses.` : issues[0]}
            hint={`Up to ${MOST_ADDRESSES}, separated by commas or line breaks. Each gets a link that works only for that address${
              sendsMail ? ", by email" : ""
            }. Without an address, anyone with the link can use it.`}
          />
          {issues.length > 1 && (
            <ul aria-label="Problems" className="-mt-3 flex flex-col gap-0.5 text-small text-danger">
              {issues.map((issue) => (
                <li key={issue} className="wrap-anywhere">
                  {issue}
                </li>
              ))}
            </ul>
          )}
        </form>
      )}
    </Dialog>
  );
}

/** One after another: each is created or not, whatever happens to the others. */
async function inviteAll(role: Role, addresses: readonly string[]): Promise<Invited[]> {
  const results: Invited[] = [];
  for (const address of addresses) {
    const body: InvitationInput = { role, email: address };
    try {
      const invitation = await callApi("POST", "/api/organization/invitations", {
        body,
        answer: async () => (await import("@/lib/contract/accounts/account")).createdInvitation,
      });
      results.push({ address, invitation });
    } catch (error) {
      results.push({ address, error });
    }
  }
  return results;
}

function findIssues(addresses: readonly string[]): string[] {
  if (addresses.length > MOST_ADDRESSES)
    return [`These are ${addresses.length} addresses. Invite at most ${MOST_ADDRESSES} at once.`];
  return addresses.flatMap((address) => {
    const { error } = invitationInput.shape.email.safeParse(address);
    return error === undefined ? [] : [`${address}: This is not an email address.`];
  });
}

function describeFailures(results: readonly Invited[]): string[] {
  return results.flatMap(({ address, error }) =>
    error === undefined ? [] : [`${address}: ${toProblemBody(error).detail}`],
  );
}

function describeEnd(created: number, failed: number): string {
  if (failed > 0) return `${created} created, ${failed} failed`;
  return created === 1 ? "Invitation created" : `${created} invitations created`;
}

function Results({ results }: { results: readonly Invited[] }) {
  const [only] = results;
  if (results.length === 1 && only?.invitation !== undefined)
    return <InvitationLink invitation={only.invitation} email={only.address} />;
  const mailed = results.every(({ invitation }) => invitation === undefined || invitation.mailed);
  return (
    <div className="flex flex-col gap-4">
      <p>
        {mailed
          ? "The links are on their way by email. They work once, within 7 days."
          : "Copy the links now: you won't see them again. Each works once, within 7 days, and only for its address."}
      </p>
      <ul aria-label="Invitations" className="flex flex-col gap-3">
        {results.map(({ address, invitation, error }) => (
          <li key={address} className="flex min-w-0 flex-col gap-1">
            <span translate="no" className="font-medium wrap-anywhere text-ink">
              {address}
            </span>
            {error !== undefined && (
              <span className="wrap-anywhere text-danger">{toProblemBody(error).detail}</span>
            )}
            {invitation?.mailed === true && <span className="text-success">On its way</span>}
            {invitation?.mailed === false && (
              <CodeBlock label={`Link for ${address}`} wrap code={invitation.url} />
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A new link. It is only in the page's memory. */
export function InvitationLink({ invitation, email }: { invitation: CreatedInvitation; email: string }) {
  return (
    <div className="flex flex-col gap-4">
      <Notice
        tone={invitation.mailed ? "success" : "warning"}
        title={invitation.mailed ? `On its way to ${email}` : "Copy the link now"}
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
