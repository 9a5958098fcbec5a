"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { AppRights } from "@/components/catalog/configuration-form/rights-list";
import { UserProse } from "@/components/ui/fact-list";
import { Badge, type Tone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { FormTextArea, lazyResolver } from "@/components/ui/forms/form-fields";
import { ConfirmDialog, Dialog } from "@/components/ui/forms/lazy-code";
import { TextLink } from "@/components/ui/links";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { UserText } from "@/components/ui/values";
import { callApi } from "@/lib/client/api";
import type { Enforcement, RightsView } from "@/lib/contract/catalog/rights";
import type { LaunchDecisionInput, LaunchRequestState } from "@/lib/contract/installations/launch-request";

export interface RequestRow {
  id: string;
  state: LaunchRequestState;
  title: string;
  publisherSlug: string;
  appName: string;
  /** Of the version that was offered then. */
  number: string;
  tenantName: string;
  requester: string;
  note: string;
  /** From the owner who decided, or what outdated it. */
  answer: string;
  decider: string | null;
  createdAt: Date;
  endedAt: Date | null;
  validUntil: Date | null;
  usedAt: Date | null;
  mayDecide: boolean;
  mayWithdraw: boolean;
  /** Of that version; null if there is nothing to decide. */
  rights: RightsView | null;
}

interface RequestListProps {
  requests: readonly RequestRow[];
  enforcement: Enforcement;
}

/** In the browser too, so that a page sends the rows and not each of their elements a second time. */
export function RequestList({ requests, enforcement }: RequestListProps) {
  return (
    <ul aria-label="Requests" className="divide-y divide-line">
      {requests.map((request) => (
        <li key={request.id} className="flex flex-col gap-3 px-4 py-4 sm:px-6">
          <RequestItem request={request} enforcement={enforcement} />
        </li>
      ))}
    </ul>
  );
}

const STATES = {
  OPEN: ["warning", "Open"],
  APPROVED: ["success", "Approved"],
  DECLINED: ["danger", "Declined"],
  WITHDRAWN: ["neutral", "Withdrawn"],
  OUTDATED: ["neutral", "No longer possible"],
} as const satisfies Record<LaunchRequestState, readonly [Tone, string]>;

interface RequestProps {
  request: RequestRow;
  enforcement: Enforcement;
}

function RequestItem({ request, enforcement }: RequestProps) {
  const { state, title, publisherSlug, appName, number, tenantName, requester, note, createdAt } = request;
  const [tone, text] = STATES[state];
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <TextLink
          href={`/marketplace/${publisherSlug}/${appName}`}
          standalone
          className="font-medium wrap-anywhere"
        >
          <UserText>{title}</UserText>
        </TextLink>
        <Badge tone={tone} dot>
          {text}
        </Badge>
      </div>
      <p className="text-small leading-5 wrap-anywhere text-ink-soft">
        <UserText>{requester}</UserText> asked <RelativeTime at={createdAt} /> to launch version {number} for{" "}
        <UserText>{tenantName}</UserText>.
      </p>
      {note !== "" && (
        <UserProse label="Note" className="max-w-2xl text-sm leading-6">
          {note}
        </UserProse>
      )}
      <Outcome request={request} />
      <Actions request={request} enforcement={enforcement} />
    </>
  );
}

function Outcome({
  request: { state, answer, decider, endedAt, validUntil, usedAt },
}: {
  request: RequestRow;
}) {
  if (state === "OPEN") return null;
  return (
    <div className="flex flex-col gap-1 text-small leading-5 wrap-anywhere text-ink-soft">
      {decider !== null && endedAt !== null && (
        <p>
          Decided by <UserText>{decider}</UserText>, <RelativeTime at={endedAt} />.
        </p>
      )}
      {state === "APPROVED" && (
        <p>
          {usedAt !== null ? (
            <>
              Launched <RelativeTime at={usedAt} />.
            </>
          ) : (
            validUntil !== null && (
              <>
                Not launched yet. The approval expires <RelativeTime at={validUntil} />.
              </>
            )
          )}
        </p>
      )}
      {answer !== "" && (
        <p>
          <UserText>{answer}</UserText>
        </p>
      )}
    </div>
  );
}

function Actions({ request, enforcement }: RequestProps) {
  const [open, setOpen] = useState<"approve" | "decline" | "withdraw">();
  const { mayDecide, mayWithdraw } = request;
  if (!mayDecide && !mayWithdraw) return null;
  const close = () => setOpen(undefined);
  return (
    <div className="flex flex-wrap gap-2">
      {mayDecide && (
        <>
          <Button size="small" tone="primary" onPress={() => setOpen("approve")}>
            Approve
          </Button>
          <Button size="small" onPress={() => setOpen("decline")}>
            Decline
          </Button>
        </>
      )}
      {mayWithdraw && (
        <Button size="small" tone="quiet" onPress={() => setOpen("withdraw")}>
          Withdraw
        </Button>
      )}
      {(open === "approve" || open === "decline") && (
        <DecisionDialog request={request} enforcement={enforcement} decision={open} close={close} />
      )}
      <WithdrawDialog request={request} isOpen={open === "withdraw"} close={close} />
    </div>
  );
}

const DECISIONS = {
  approve: { title: "Approve the launch of", button: "Approve", tone: "primary" },
  decline: { title: "Decline the launch of", button: "Decline", tone: "danger" },
} as const;

interface DecisionDialogProps extends RequestProps {
  decision: keyof typeof DECISIONS;
  close: () => void;
}

function DecisionDialog({ request, enforcement, decision, close }: DecisionDialogProps) {
  const router = useRouter();
  const { title, button, tone } = DECISIONS[decision];
  const { control, handleSubmit } = useForm<LaunchDecisionInput>({
    resolver: lazyResolver(
      async () => (await import("@/lib/contract/installations/launch-request")).launchDecisionInput,
    ),
    defaultValues: { decision, note: "" },
  });
  const decide = useMutation({
    mutationFn: (body: LaunchDecisionInput) =>
      callApi("POST", `/api/launch-requests/${request.id}/decision`, { body }),
    onSuccess: () => {
      close();
      router.refresh();
    },
  });
  const submit = handleSubmit((values) => decide.mutate(values));
  return (
    <Dialog
      isOpen
      onOpenChange={close}
      title={`${title} ${request.title}?`}
      description={
        decision === "approve"
          ? `${request.requester} can launch it for ${request.tenantName} once, within 30 days. A newer version may ask for more.`
          : `${request.requester} is notified.`
      }
      isBusy={decide.isPending}
      footer={
        <>
          <Button onPress={close} isDisabled={decide.isPending}>
            Cancel
          </Button>
          <Button tone={tone} onPress={() => void submit()} isPending={decide.isPending}>
            {button}
          </Button>
        </>
      }
    >
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {decision === "approve" && request.rights !== null && (
          <AppRights rights={request.rights} enforcement={enforcement} />
        )}
        <FormTextArea
          control={control}
          name="note"
          label="Note"
          hint={`${request.requester} reads it.`}
          isRequired={decision === "decline"}
          rows={3}
        />
        <ProblemNotice error={decide.error} />
      </form>
    </Dialog>
  );
}

function WithdrawDialog({
  request,
  isOpen,
  close,
}: {
  request: RequestRow;
  isOpen: boolean;
  close: () => void;
}) {
  const router = useRouter();
  const withdraw = useMutation({
    mutationFn: () => callApi("POST", `/api/launch-requests/${request.id}/withdrawal`),
    onSuccess: () => {
      close();
      router.refresh();
    },
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onOpenChange={() => {
        close();
        withdraw.reset();
      }}
      title={`Withdraw the request for ${request.title}?`}
      confirmText="Withdraw"
      onConfirm={() => withdraw.mutate()}
      isPending={withdraw.isPending}
      error={withdraw.error}
    >
      The owners can no longer decide it. You can ask again.
    </ConfirmDialog>
  );
}
