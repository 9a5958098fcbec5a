"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/forms/lazy-code";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import type { UninstallInput } from "@/lib/contract/catalog/configuration";
import type { InstallationView } from "@/lib/contract/installations/installation-view";
import { type Command, stateAfter } from "@/lib/domain/calls/installation";
import { findRemedy } from "./describe-installation";

/** Sends a command. The page shows the new state, also after a problem, because it showed an outdated one. */
export function useCommand({ id }: Pick<InstallationView, "id">, onSuccess?: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (command: Command | UninstallInput) =>
      typeof command === "string"
        ? callApi("POST", `/api/installations/${id}/${command}`)
        : callApi("POST", `/api/installations/${id}/uninstall`, { body: command }),
    onSuccess,
    onSettled: () => client.invalidateQueries({ queryKey: ["installation", id] }),
  });
}

/** A page has one next step: where only somebody else can fix the app, starting it is not that. */
const startTone = (installation: InstallationView) =>
  (findRemedy(installation)?.starts ?? true) ? "primary" : "secondary";

/** Starts an app that crashed too often. */
export function StartAgain({ installation }: { installation: InstallationView }) {
  const client = useQueryClient();
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => callApi("POST", `/api/installations/${installation.id}/start-again`),
    onSettled: () => client.invalidateQueries({ queryKey: ["installation", installation.id] }),
  });
  return (
    <div className="mt-3 flex flex-col items-start gap-3">
      <Button tone={startTone(installation)} isPending={isPending || isSuccess} onPress={() => mutate()}>
        Start again
      </Button>
      <ProblemNotice error={error} />
    </div>
  );
}

/** Start or Stop, as far as the state of the installation allows them. */
export function RunCommands({ installation }: { installation: InstallationView }) {
  const [asking, setAsking] = useState(false);
  const command = useCommand(installation, () => setAsking(false));
  const fallbackFocus = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    // The button that was clicked disappeared with the old state.
    if (command.isSuccess && document.activeElement === document.body) fallbackFocus.current?.focus();
  }, [command.isSuccess, installation.state]);
  const can = (name: Command) => stateAfter(installation.state, name) !== undefined;
  const askToStop = () => {
    command.reset();
    setAsking(true);
  };
  return (
    <>
      <span ref={fallbackFocus} tabIndex={-1} className="sr-only">
        Commands
      </span>
      {can("start") && (
        <Button
          tone={startTone(installation)}
          isPending={command.isPending && !asking}
          onPress={() => command.mutate("start")}
        >
          Start
        </Button>
      )}
      {can("stop") && <Button onPress={askToStop}>Stop</Button>}
      {!asking && <ProblemNotice error={command.error} className="basis-full" />}
      <ConfirmDialog
        isOpen={asking}
        onOpenChange={() => setAsking(false)}
        title={`Stop ${installation.title}?`}
        confirmText="Stop"
        tone="primary"
        onConfirm={() => command.mutate("stop")}
        isPending={command.isPending}
        error={command.error}
      >
        <Effects lines={STOP_EFFECTS} />
      </ConfirmDialog>
    </>
  );
}

export function Effects({ lines }: { lines: readonly string[] }) {
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
