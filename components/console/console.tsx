"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Zap } from "lucide-react";
import { useRef, useState } from "react";
import { KIND_WORDS } from "./route-kinds";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { SelectField } from "@/components/ui/select-field";
import { TextArea } from "@/components/ui/text-fields";
import { callApi } from "@/lib/client/api";
import { firedCall, type InstallationView } from "@/lib/contract/installation-view";
import { FiredResult } from "./test-call-result";
import { parsePayload, samplePayload } from "./sample-payload";
import { Card } from "@/components/ui/card";
import type { Role } from "@/lib/contract/organization";
import { mayOperate } from "@/lib/domain/installation";
import { AttemptList } from "./attempt-list";

const RECEIVERS = {
  all: "It goes to every app of this tenant that takes events of its type.",
  tests: "It goes to every Test Launch for this tenant that takes events of its type.",
};

interface CallFormProps {
  installation: InstallationView;
  /** An event goes to Test Launches alone, for who fires it may operate nothing else. */
  testOnly: boolean;
}

/** A route, a payload, and what came of firing it. */
function CallForm({ installation, testOnly }: CallFormProps) {
  const routes = installation.routes.filter((route) => route.kind !== "lifecycle");
  const [routeId, setRouteId] = useState(routes[0]?.routeId ?? "");
  /** What was typed, by route: another route's payload is not lost. */
  const [typed, setTyped] = useState<ReadonlyMap<string, string>>(new Map());
  const [broken, setBroken] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const client = useQueryClient();
  const route = routes.find((each) => each.routeId === routeId);
  const payload =
    typed.get(routeId) ?? (route === undefined ? "" : samplePayload(route, installation.configuration));

  const fire = useMutation({
    mutationFn: (value: unknown) =>
      callApi("POST", `/api/installations/${installation.id}/calls`, {
        body: { routeId, payload: value },
        answer: firedCall,
      }),
    onSettled: () => client.invalidateQueries({ queryKey: ["attempts", installation.id] }),
  });
  const submit = () => {
    const parsed = parsePayload(payload);
    setBroken(parsed === undefined);
    if (parsed === undefined) field.current?.focus();
    else fire.mutate(parsed.value);
  };
  const running = installation.state === "RUNNING";
  return (
    <>
      {route === undefined ? (
        <p className="text-ink-soft">
          The app declares no webhook, autofill or rater, so there is nothing to call.
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
              text: `${KIND_WORDS[kind]} ${path}`,
              detail: name === "" ? undefined : name,
            }))}
            value={routeId}
            onChange={(chosen) => {
              setRouteId(chosen);
              setBroken(false);
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
              setBroken(false);
            }}
            hint={route.kind === "webhook" ? RECEIVERS[testOnly ? "tests" : "all"] : undefined}
            error={broken ? "This is not JSON. Check quotes, commas and brackets." : undefined}
          />
          {!running && <Notice>It can be called once it runs.</Notice>}
          <div>
            <Button type="submit" tone="primary" isDisabled={!running} isPending={fire.isPending}>
              <Zap aria-hidden className="size-4" />
              Fire
            </Button>
          </div>
        </form>
      )}
      <ProblemNotice error={fire.error} />
      {fire.data !== undefined && <FiredResult installation={installation} fired={fire.data} />}
    </>
  );
}

interface CallConsoleProps {
  installation: InstallationView;
  role: Role;
}

/** Fires a call as the core would, and shows request, state read and answer. Who may not fire sees what was fired. */
export function CallConsole({ installation, role }: CallConsoleProps) {
  return (
    <Card title="Console" description="Fire a call as the core would, and see what the app makes of it.">
      <div className="flex flex-col gap-6">
        {mayOperate(role, installation.test) ? (
          <CallForm installation={installation} testOnly={!mayOperate(role, false)} />
        ) : (
          <p className="text-ink-soft">
            Operators and owners of your organization fire calls at it. Publishers fire calls at Test
            Launches.
          </p>
        )}
        <AttemptList installation={installation} />
      </div>
    </Card>
  );
}
