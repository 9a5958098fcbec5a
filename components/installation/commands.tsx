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

/** The commands that the state of the installation allows. */
export function Commands({ installation }: { installation: InstallationView }) {
  const [asking, setAsking] = useState<"stop" | "uninstall">();
  const client = useQueryClient();
  const command = useMutation({
    mutationFn: (name: Command) => callApi("POST", `/api/installations/${installation.id}/${name}`),
    onSuccess: () => setAsking(undefined),
    // After a problem too: the page showed an old state.
    onSettled: () => client.invalidateQueries({ queryKey: ["installation", installation.id] }),
  });
  const fallbackFocus = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    // The button that was clicked disappeared with the old state.
    if (command.isSuccess && document.activeElement === document.body) fallbackFocus.current?.focus();
  }, [command.isSuccess, installation.state]);
  const can = (name: Command) => stateAfter(installation.state, name) !== undefined;
  const ask = (name: "stop" | "uninstall") => {
    command.reset();
    setAsking(name);
  };
  return (
    <>
      <span ref={fallbackFocus} tabIndex={-1} className="sr-only">
        Commands
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
        <Effects lines={STOP_EFFECTS} />
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
        <p className="mb-2">Removes the app from {installation.tenant.name}. This can&apos;t be undone.</p>
        <Effects lines={uninstallEffects(installation.state)} />
      </ConfirmDialog>
    </>
  );
}

function Effects({ lines }: { lines: readonly string[] }) {
  return (
    <ul className="flex list-disc flex-col gap-1 pl-5 marker:text-ink-faint">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

const STOP_EFFECTS = [
  "The core's calls are refused until you start the app again.",
  "State keys stop working within one second, including those of calls in progress.",
  "The app's stop hook is called, if it has one.",
  "The configuration and secrets are kept.",
];

/** In the order in which they happen. */
function uninstallEffects(state: InstallationState): string[] {
  return [
    state === "RUNNING"
      ? "The core's calls are refused, and state keys stop working within one second."
      : "State keys stop working within one second.",
    "The app's stop and uninstall hooks are called, if it has them. If a hook fails, the app is uninstalled anyway.",
    "Its settings, secrets, and routes are deleted.",
    "The history and the audit log are kept. They contain no secrets.",
  ];
}
