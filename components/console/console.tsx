"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Zap } from "lucide-react";
import { useRef, useState } from "react";
import { ROUTE_KIND_LABELS } from "@/components/call/route-kinds";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { SelectField } from "@/components/ui/select-field";
import { TextArea } from "@/components/ui/text-fields";
import { callApi } from "@/lib/client/api";
import {
  recipientList,
  sentTestCall,
  type InstallationView,
  type Recipient,
  type RouteView,
} from "@/lib/contract/installation-view";
import { asksFirst, TestEventDialog } from "./test-event-dialog";
import { TestCallResult } from "./test-call-result";
import { parsePayload, samplePayload } from "./sample-payload";
import { Card } from "@/components/ui/card";
import type { Role } from "@/lib/contract/organization";
import { mayOperate } from "@/lib/domain/installation";

const HINTS = {
  event:
    "Sent to every app of this tenant that subscribes to this event type. You see which ones before it is sent.",
  testEvent: "Sent to every Test Launch for this tenant that subscribes to this event type.",
  call: "Sent to this app only, as the core would. The records mark it as a test.",
};

interface CallFormProps {
  installation: InstallationView;
  /** Events go only to Test Launches, because the user may operate nothing else. */
  testOnly: boolean;
}

/** A route, a payload, and the result of the test call. */
function CallForm({ installation, testOnly }: CallFormProps) {
  const routes = installation.routes.filter(({ kind }) => kind !== "lifecycle" && kind !== "endpoint");
  const [routeId, setRouteId] = useState(routes[0]?.routeId ?? "");
  /** What was typed, by route, so that switching routes loses nothing. */
  const [typed, setTyped] = useState<ReadonlyMap<string, string>>(new Map());
  const [invalid, setInvalid] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const route = routes.find((each) => each.routeId === routeId);
  const payload =
    typed.get(routeId) ?? (route === undefined ? "" : samplePayload(route, installation.configuration));

  const testCall = useTestCall(installation);
  const submit = () => {
    const parsed = parsePayload(payload);
    setInvalid(parsed === undefined);
    if (parsed === undefined) field.current?.focus();
    else if (route !== undefined) testCall.submit(route, parsed.value);
  };
  const running = installation.state === "RUNNING";
  return (
    <>
      {route === undefined ? (
        <p className="text-ink-soft">
          The app has no webhooks, autofill, or external raters, so there is nothing to call.
        </p>
      ) : (
        <form
          noValidate
          className="flex flex-col gap-5"
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <SelectField
            label="Route"
            isRequired
            className="max-w-md"
            options={routes.map(({ routeId: value, kind, path, name }) => ({
              value,
              text: `${ROUTE_KIND_LABELS[kind]} ${path}`,
              detail: name === "" ? undefined : name,
            }))}
            value={routeId}
            onChange={(chosen) => {
              setRouteId(chosen);
              setInvalid(false);
            }}
          />
          <TextArea
            label={route.kind === "webhook" ? "Event" : "Payload"}
            ref={field}
            isRequired
            mono
            rows={7}
            value={payload}
            onChange={(text) => {
              setTyped(new Map(typed).set(routeId, text));
              setInvalid(false);
            }}
            hint={HINTS[route.kind !== "webhook" ? "call" : testOnly ? "testEvent" : "event"]}
            error={invalid ? "Not valid JSON. Check quotes, commas, and brackets." : undefined}
          />
          {!running && <Notice>You can send test calls once the app is running.</Notice>}
          <div>
            <Button
              type="submit"
              tone="primary"
              isDisabled={!running}
              isPending={testCall.isPending && testCall.asked === undefined}
            >
              <Zap aria-hidden className="size-4" />
              Send test call
            </Button>
          </div>
        </form>
      )}
      {testCall.asked === undefined && <ProblemNotice error={testCall.error} />}
      <TestEventDialog
        installation={installation}
        recipients={testCall.asked?.recipients}
        onCancel={testCall.cancel}
        onConfirm={testCall.confirm}
        isPending={testCall.isPending}
        error={testCall.error}
      />
      {testCall.sent !== undefined && <TestCallResult installation={installation} call={testCall.sent} />}
    </>
  );
}

interface TestCall {
  routeId: string;
  payload: unknown;
  /** Of an event: the routes that get it. */
  recipients?: readonly Recipient[];
}

/** Sends a test call. An event that would reach more than Test Launches is only sent once its sender saw whom it reaches. */
function useTestCall({ id }: InstallationView) {
  const client = useQueryClient();
  const [asked, setAsked] = useState<TestCall>();
  const send = useMutation({
    mutationFn: ({ recipients, ...call }: TestCall) =>
      callApi("POST", `/api/installations/${id}/calls`, {
        body: { ...call, recipients: recipients?.map(({ routeId }) => routeId) },
        answer: sentTestCall,
      }),
    onSuccess: () => setAsked(undefined),
    onSettled: () => client.invalidateQueries({ queryKey: ["attempts", id] }),
  });
  const look = useMutation({
    mutationFn: ({ payload }: TestCall) =>
      callApi("GET", `/api/installations/${id}/recipients?event=${encodeURIComponent(readType(payload))}`, {
        answer: recipientList,
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
  return typeof payload === "object" && payload !== null && "type" in payload ? String(payload.type) : "";
}

interface CallConsoleProps {
  installation: InstallationView;
  role: Role;
}

/** Sends test calls and shows request, state read, and response. */
export function CallConsole({ installation, role }: CallConsoleProps) {
  // On a production installation, it takes a click: a test call reaches the running app.
  const [isOpen, setOpen] = useState(installation.test);
  const allowed = mayOperate(role, installation.test);
  return (
    <Card title="Console" description="Send a test call as the core would, and see how the app responds.">
      {!allowed && (
        <p className="text-ink-soft">
          Only operators and owners of your organization can send test calls. Publishers can send them to Test
          Launches.
        </p>
      )}
      {allowed && !isOpen && <Button onPress={() => setOpen(true)}>Open console</Button>}
      {allowed && isOpen && (
        <div className="flex flex-col gap-6">
          <CallForm installation={installation} testOnly={!mayOperate(role, false)} />
        </div>
      )}
    </Card>
  );
}
