"use client";

import { useMutation } from "@tanstack/react-query";
import { CircleCheck, TriangleAlert } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { useIsAway } from "@/components/platform/availability";
import { Button, Spinner } from "@/components/ui/button";
import { useFillCheck } from "@/components/ui/forms/settings-form";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi, toProblemBody } from "@/lib/client/api";
import type { CheckResult, ConfigurationCheckInput } from "@/lib/contract/catalog/configuration";
import type { Issue } from "@/lib/contract/platform/problem";
import type { AnswerSheet } from "@/lib/domain/catalog/answer-sheet";
import { settingPointer } from "@/lib/domain/catalog/configuration";
import { useSheet } from "./answer-form";

/** Offers to check the settings with the app before they are saved. Nobody has to. */
export function CheckStrip({ className = "", ...form }: CheckedForm & { className?: string }) {
  const check = useConfigurationCheck(form);
  return (
    <div className={`flex flex-col gap-3 ${className}`}>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div aria-live="polite" className="min-w-0 flex-1 basis-64 text-small leading-5 wrap-anywhere">
          <CheckStatus check={check} />
        </div>
        {check.isRunning ? (
          <Button onPress={check.cancel}>Cancel check</Button>
        ) : (
          <Button onPress={check.start}>Check</Button>
        )}
      </div>
      <ProblemNotice error={check.error} />
    </div>
  );
}

function CheckStatus({ check }: { check: ReturnType<typeof useConfigurationCheck> }): ReactNode {
  const { isRunning, isStarting, result, isCurrent } = check;
  const isWorkerAway = useIsAway("worker");
  if (isRunning)
    return (
      <p className="flex items-start gap-2 text-ink">
        <span aria-hidden className="mt-0.5">
          <Spinner />
        </span>
        {describeRunning(isStarting, isWorkerAway)}
      </p>
    );
  if (result === undefined)
    return <Faint>Check sends these answers to the app before you save them. It&apos;s optional.</Faint>;
  if (result === "canceled") return <Faint>Check canceled.</Faint>;
  if (result.outcome === "FAILED") return <Failed reason={result.reason} />;
  if (!isCurrent) return <Faint>You changed your answers since the last check.</Faint>;
  if (result.outcome === "PASSED")
    return (
      <p className="flex items-start gap-2 text-ink">
        <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />
        The app found no problems.
      </p>
    );
  return (
    <p className="flex items-start gap-2 text-ink">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warning" />
      {describeIssues(result)}
    </p>
  );
}

function describeRunning(isStarting: boolean, isWorkerAway: boolean): string {
  if (isWorkerAway) return "The platform's worker is unavailable. The check continues when it is back.";
  return isStarting ? "Starting the app. This can take a minute…" : "The app is checking your settings…";
}

function describeIssues({ issues }: Extract<CheckResult, { outcome: "ISSUES" }>): string {
  const count = issues.length === 1 ? "1 problem" : `${issues.length} problems`;
  return `The app found ${count}. You can still continue.`;
}

function Faint({ children }: { children: ReactNode }) {
  return <p className="text-ink-faint">{children}</p>;
}

function Failed({ reason }: { reason: string }) {
  return (
    <div className="flex items-start gap-2">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warning" />
      <div className="min-w-0">
        <p className="font-medium text-ink">Your settings couldn&apos;t be checked</p>
        <p className="text-ink-soft">{reason} You can still continue without the check.</p>
      </div>
    </div>
  );
}

const POLL_MS = 500;

/** What a form needs to offer the check. */
export interface CheckedForm {
  /** Called when the check starts, with the answers as they are then. */
  createInput: (sheet: AnswerSheet) => ConfigurationCheckInput;
  /** Marks these issues and no others. The first one takes the focus. */
  mark: (issues: readonly Issue[]) => void;
}

/** Sends the unsaved answers to the app, and marks what it finds. Leaving the page cancels it. */
function useConfigurationCheck({ createInput, mark }: CheckedForm) {
  const { sheet } = useSheet();
  const mayBeSent = useFillCheck();
  const running = useRef<AbortController>(undefined);
  const [isStarting, setStarting] = useState(false);
  const [ended, setEnded] = useState<{ result: CheckResult | "canceled"; sheet: AnswerSheet }>();
  const cancel = useCallback(() => running.current?.abort(), []);
  useEffect(() => cancel, [cancel]);

  const check = useMutation({
    mutationFn: async ({
      input,
      signal,
    }: {
      input: ConfigurationCheckInput;
      sheet: AnswerSheet;
      signal: AbortSignal;
    }) => runCheck(input, signal, setStarting),
    onSettled: () => setStarting(false),
    onSuccess: (result, sent) => {
      setEnded({ result, sheet: sent.sheet });
      // An answer that changed meanwhile was not checked.
      const issues = result.outcome === "ISSUES" ? result.issues : [];
      mark(issues.filter(({ pointer }) => isSame(sent.sheet, sheet, pointer)));
    },
    onError: (error, sent) => {
      if (sent.signal.aborted) return setEnded({ result: "canceled", sheet: sent.sheet });
      mark(toProblemBody(error).issues ?? []);
    },
  });

  return {
    isRunning: check.isPending,
    isStarting,
    /** Undefined before the first check. */
    result: check.isPending ? undefined : ended?.result,
    /** No answer changed since then. */
    isCurrent: ended?.sheet === sheet,
    error: check.variables?.signal.aborted === true ? null : check.error,
    start: () => {
      const issues = sheet.issues().filter(({ pointer }) => pointer.startsWith("/settings/"));
      mark(issues);
      setEnded(undefined);
      check.reset();
      if (issues.length > 0 || !mayBeSent()) return;
      running.current = new AbortController();
      check.mutate({ input: createInput(sheet), sheet, signal: running.current.signal });
    },
    cancel,
  };
}

function isSame(one: AnswerSheet, other: AnswerSheet, pointer: string): boolean {
  const setting = one.form.declared.find(({ name }) => settingPointer(name) === pointer);
  if (setting === undefined) return true;
  return JSON.stringify(one.action(setting)) === JSON.stringify(other.action(setting));
}

async function runCheck(
  body: ConfigurationCheckInput,
  signal: AbortSignal,
  onStarting: (isStarting: boolean) => void,
): Promise<CheckResult> {
  const shapes = () => import("@/lib/contract/catalog/configuration");
  const answer = async () => (await shapes()).startedCheck;
  // Not aborted: what it began must be canceled.
  const { checkId } = await callApi("POST", "/api/configuration-checks", { body, answer });
  const path = `/api/configuration-checks/${checkId}`;
  try {
    for (;;) {
      signal.throwIfAborted();
      const view = await callApi("GET", path, {
        answer: async () => (await shapes()).configurationCheckView,
        signal,
      });
      if (view.result !== null) return view.result;
      if (view.state === "CANCELED") return REPLACED;
      onStarting(view.state === "STARTING");
      await sleep(POLL_MS, signal);
    }
  } catch (error) {
    if (signal.aborted) void callApi("DELETE", path).catch(() => undefined);
    else if (toProblemBody(error).code === "NOT_FOUND") return REPLACED;
    throw error;
  }
}

const REPLACED: CheckResult = {
  outcome: "FAILED",
  reason: "You started another check in the meantime, which ended this one.",
};

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
