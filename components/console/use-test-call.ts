"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { callApi } from "@/lib/client/api";
import type { InstallationView, Recipient, RouteView } from "@/lib/contract/installation-view";
import { isRecord } from "@/lib/domain/json-text/json-value";
import { asksFirst } from "./test-event-dialog";

interface TestCall {
  routeId: string;
  payload: unknown;
  /** Of an event: the routes that get it. */
  recipients?: readonly Recipient[];
}

/** Sends a test call. An event that would reach more than Test Launches is only sent after its sender saw the installations that get it. */
export function useTestCall({ id }: Pick<InstallationView, "id">) {
  const client = useQueryClient();
  const [asked, setAsked] = useState<TestCall>();
  const send = useMutation({
    mutationFn: ({ recipients, ...call }: TestCall) =>
      callApi("POST", `/api/installations/${id}/calls`, {
        body: { ...call, recipients: recipients?.map(({ routeId }) => routeId) },
        answer: async () => (await import("@/lib/contract/installation-view")).sentTestCall,
      }),
    onSuccess: () => setAsked(undefined),
    onSettled: () => client.invalidateQueries({ queryKey: ["sent-calls", id] }),
  });
  const look = useMutation({
    mutationFn: ({ payload }: TestCall) =>
      callApi("GET", `/api/installations/${id}/recipients?event=${encodeURIComponent(readType(payload))}`, {
        answer: async () => (await import("@/lib/contract/installation-view")).recipientList,
      }),
    onSuccess: ({ recipients }, call) => {
      if (asksFirst(recipients)) setAsked({ ...call, recipients });
      else send.mutate({ ...call, recipients });
    },
  });
  return {
    submit: ({ routeId, kind }: RouteView, payload: unknown) => {
      send.reset();
      if (kind === "webhook") look.mutate({ routeId, payload });
      else send.mutate({ routeId, payload });
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

function readType(payload: unknown): string {
  return isRecord(payload) && "type" in payload ? String(payload.type) : "";
}
