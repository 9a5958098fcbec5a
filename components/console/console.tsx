"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Zap } from "lucide-react";
import { useRef, useState } from "react";
import { ROUTE_KIND_LABELS } from "./route-kinds";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { SelectField } from "@/components/ui/select-field";
import { TextArea } from "@/components/ui/text-fields";
import { callApi } from "@/lib/client/api";
import { sentTestCall, type InstallationView } from "@/lib/contract/installation-view";
import { TestCallResult } from "./test-call-result";
import { parsePayload, samplePayload } from "./sample-payload";
import { Card } from "@/components/ui/card";
import type { Role } from "@/lib/contract/organization";
import { mayOperate } from "@/lib/domain/installation";

const RECIPIENTS = {
  all: "Sent to every app of this tenant that subscribes to this event type.",
  tests: "Sent to every Test Launch for this tenant that subscribes to this event type.",
};

interface CallFormProps {
  installation: InstallationView;
  /** Events go only to Test Launches, because the user may operate nothing else. */
  testOnly: boolean;
}

/** A route, a payload, and the result of the test call. */
function CallForm({ installation, testOnly }: CallFormProps) {
  const routes = installation.routes.filter((route) => route.kind !== "lifecycle");
  const [routeId, setRouteId] = useState(routes[0]?.routeId ?? "");
  /** What was typed, by route, so that switching routes loses nothing. */
  const [typed, setTyped] = useState<ReadonlyMap<string, string>>(new Map());
  const [invalid, setInvalid] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const client = useQueryClient();
  const route = routes.find((each) => each.routeId === routeId);
  const payload =
    typed.get(routeId) ?? (route === undefined ? "" : samplePayload(route, installation.configuration));

  const testCall = useMutation({
    mutationFn: (value: unknown) =>
      callApi("POST", `/api/installations/${installation.id}/calls`, {
        body: { routeId, payload: value },
        answer: sentTestCall,
      }),
    onSettled: () => client.invalidateQueries({ queryKey: ["attempts", installation.id] }),
  });
  const submit = () => {
    const parsed = parsePayload(payload);
    setInvalid(parsed === undefined);
    if (parsed === undefined) field.current?.focus();
    else testCall.mutate(parsed.value);
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
            hint={route.kind === "webhook" ? RECIPIENTS[testOnly ? "tests" : "all"] : undefined}
            error={invalid ? "Not valid JSON. Check quotes, commas, and brackets." : undefined}
          />
          {!running && <Notice>You can send test calls once the app is running.</Notice>}
          <div>
            <Button type="submit" tone="primary" isDisabled={!running} isPending={testCall.isPending}>
              <Zap aria-hidden className="size-4" />
              Send test call
            </Button>
          </div>
        </form>
      )}
      <ProblemNotice error={testCall.error} />
      {testCall.data !== undefined && <TestCallResult installation={installation} call={testCall.data} />}
    </>
  );
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
    <Card
      title="Console"
      description="Send a test call as the core would, and see how the app responds."
      actions={
        allowed &&
        !isOpen && (
          <Button size="small" onPress={() => setOpen(true)}>
            Open console
          </Button>
        )
      }
    >
      {!allowed && (
        <p className="text-ink-soft">
          Only operators and owners of your organization can send test calls. Publishers can send them to Test
          Launches.
        </p>
      )}
      {allowed && isOpen && (
        <div className="flex flex-col gap-6">
          <CallForm installation={installation} testOnly={!mayOperate(role, false)} />
        </div>
      )}
    </Card>
  );
}
