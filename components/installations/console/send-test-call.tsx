"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { ConfirmDialog } from "@/components/ui/forms/confirm-dialog";
import { UserText } from "@/components/ui/values";
import { callApi } from "@/lib/client/api";
import type { InstallationView, Recipient, RouteView } from "@/lib/contract/installations/installation-view";
import { parsePayload } from "@/lib/contract/platform/problem";
import { isRecord } from "@/lib/domain/platform/json-text/json-value";
import { TestCallResult } from "./sent-calls";

interface TestCall {
  routeId: string;
  /** The payload's JSON. */
  text: string;
  /** Of an event: the routes that get it. */
  recipients?: readonly Recipient[];
}

/** Sends a test call. An event for more than Test Launches is sent only after the sender saw who gets it. */
export function useTestCall({ id }: Pick<InstallationView, "id">) {
  const client = useQueryClient();
  const [asked, setAsked] = useState<TestCall>();
  const send = useMutation({
    mutationFn: ({ recipients, ...call }: TestCall) =>
      callApi("POST", `/api/installations/${id}/calls`, {
        body: { ...call, recipients: recipients?.map(({ routeId }) => routeId) },
        answer: async () => (await import("@/lib/contract/installations/installation-view")).sentTestCall,
      }),
    onSuccess: () => setAsked(undefined),
    onSettled: () => client.invalidateQueries({ queryKey: ["sent-calls", id] }),
  });
  const look = useMutation({
    mutationFn: ({ text }: TestCall) =>
      callApi("GET", `/api/installations/${id}/recipients?event=${encodeURIComponent(readType(text))}`, {
        answer: async () => (await import("@/lib/contract/installations/installation-view")).recipientList,
      }),
    onSuccess: ({ recipients }, call) => {
      if (asksFirst(recipients)) setAsked({ ...call, recipients });
      else send.mutate({ ...call, recipients });
    },
  });
  return {
    submit: ({ routeId, kind }: RouteView, text: string) => {
      send.reset();
      if (kind === "webhook") look.mutate({ routeId, text });
      else send.mutate({ routeId, text });
    },
    /** Waits for its sender. */
    asked,
    confirm: () => asked !== undefined && send.mutate(asked),
    cancel: () => setAsked(undefined),
    sent: send.data,
    isPending: look.isPending || send.isPending,
    error: look.error ?? send.error,
  };
}

function readType(text: string): string {
  const payload = parsePayload(text);
  return isRecord(payload) && "type" in payload ? String(payload.type) : "";
}

/** A test event that only reaches Test Launches needs no confirmation. */
function asksFirst(recipients: readonly Recipient[]): boolean {
  return recipients.some(({ test }) => !test);
}

interface TestCallStepsProps {
  installation: InstallationView;
  testCall: ReturnType<typeof useTestCall>;
}

/** What follows after a test call was submitted: the question who gets an event, and the result. */
export function TestCallSteps({ installation, testCall }: TestCallStepsProps) {
  const { asked, cancel, confirm, isPending, error, sent } = testCall;
  return (
    <>
      <TestEventDialog
        installation={installation}
        recipients={asked?.recipients}
        onCancel={cancel}
        onConfirm={confirm}
        isPending={isPending}
        error={error}
      />
      {sent !== undefined && <TestCallResult installation={installation} call={sent} />}
    </>
  );
}

interface TestEventDialogProps {
  installation: InstallationView;
  /** The recipients of the event; undefined while nothing is requested. */
  recipients: readonly Recipient[] | undefined;
  onCancel: () => void;
  onConfirm: () => void;
  isPending: boolean;
  error: unknown;
}

/** Lists every installation that a test event would reach, before it is sent. */
function TestEventDialog({ installation, recipients = [], ...rest }: TestEventDialogProps) {
  const { onCancel, onConfirm, isPending, error } = rest;
  const apps = new Set(recipients.map(({ installationId }) => installationId)).size;
  const reached = apps === 1 ? "1 app" : `${apps} apps`;
  return (
    <ConfirmDialog
      isOpen={recipients.length > 0}
      onOpenChange={onCancel}
      title={`Send this event to ${reached} of ${installation.tenant.name}?`}
      confirmText={`Send to ${reached}`}
      tone="primary"
      onConfirm={onConfirm}
      isPending={isPending}
      error={error}
    >
      <p>
        {apps === 1 ? "The app handles" : "The apps handle"} it like a real event from the core. In the
        records, it is marked as a test.
      </p>
      <ul
        aria-label="Recipients"
        className="mt-3 max-h-56 divide-y divide-line overflow-y-auto rounded-field border border-line"
      >
        {recipients.map(({ routeId, installationId, title, path, test }) => (
          <li key={routeId} className="flex flex-wrap items-center gap-x-2 gap-y-1 px-3 py-2">
            <UserText className="font-medium wrap-anywhere text-ink">{title}</UserText>
            <code translate="no" className="font-mono text-xs wrap-anywhere text-ink-faint">
              {path}
            </code>
            {test && <Badge tone="warning">Test Launch</Badge>}
            {installationId === installation.id && <Badge>This installation</Badge>}
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}
