"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import type { InstallationView } from "@/lib/contract/installation-view";
import { type Command, stateAfter } from "@/lib/domain/installation";
import type { InstallationState } from "@/lib/contract/installation";

/** What can be done with the installation in its state. */
export function Commands({ installation }: { installation: InstallationView }) {
  const [asking, setAsking] = useState<"stop" | "uninstall">();
  const client = useQueryClient();
  const command = useMutation({
    mutationFn: (name: Command) => callApi("POST", `/api/installations/${installation.id}/${name}`),
    onSuccess: () => setAsking(undefined),
    // After a refusal too: the state was not what the page believed.
    onSettled: () => client.invalidateQueries({ queryKey: ["installation", installation.id] }),
  });
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    // The button that was pressed is gone with the state that it belonged to.
    if (command.isSuccess && document.activeElement === document.body) place.current?.focus();
  }, [command.isSuccess, installation.state]);
  const can = (name: Command) => stateAfter(installation.state, name) !== undefined;
  const ask = (name: "stop" | "uninstall") => {
    command.reset();
    setAsking(name);
  };
  return (
    <>
      <span ref={place} tabIndex={-1} className="sr-only">
        What can be done
      </span>
      {can("start") && (
        <Button
          tone="primary"
          isPending={command.isPending && asking === undefined}
          onPress={() => command.mutate("start")}
        >
          Start
        </Button>
      )}
      {can("stop") && <Button onPress={() => ask("stop")}>Stop</Button>}
      {can("uninstall") && <Button onPress={() => ask("uninstall")}>Uninstall</Button>}
      {asking === undefined && <ProblemNotice error={command.error} className="basis-full" />}
      <ConfirmDialog
        isOpen={asking === "stop"}
        onOpenChange={() => setAsking(undefined)}
        title={`Stop ${installation.title}?`}
        confirmText="Stop"
        tone="primary"
        onConfirm={() => command.mutate("stop")}
        isPending={command.isPending}
        error={command.error}
      >
        <Consequences lines={STOPPED_BY_COMMAND} />
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={asking === "uninstall"}
        onOpenChange={() => setAsking(undefined)}
        title={`Uninstall ${installation.title}?`}
        confirmText="Uninstall"
        typeToConfirm={installation.name}
        onConfirm={() => command.mutate("uninstall")}
        isPending={command.isPending}
        error={command.error}
      >
        <p className="mb-2">It ends for {installation.tenant.name}, and this cannot be undone:</p>
        <Consequences lines={removedFrom(installation.state)} />
      </ConfirmDialog>
    </>
  );
}

function Consequences({ lines }: { lines: readonly string[] }) {
  return (
    <ul className="flex list-disc flex-col gap-1 pl-5 marker:text-ink-faint">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

/** What a stop does. */
const STOPPED_BY_COMMAND = [
  "The core's calls are refused at once, until it is started again.",
  "The keys of its calls are dead within a second, also of those under way.",
  "The app's stop hook is called, if it has one.",
  "Its configuration and its secrets are kept.",
];

/** What an uninstall does, in the order in which it happens. */
function removedFrom(state: InstallationState): string[] {
  return [
    state === "RUNNING"
      ? "The core's calls are refused at once, and the keys of its calls are dead within a second."
      : "The keys of its calls are dead within a second.",
    "The app's stop and uninstall hooks are called, if it has them. A failure there does not hold the removal up.",
    "Its settings and secrets are removed, and its routes end.",
    "Who did what and when is kept, in its history and in the audit. Neither holds a secret.",
  ];
}
