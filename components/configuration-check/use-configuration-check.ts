"use client";

import { useMutation } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { useSheet } from "@/components/configuration-form/sheet-context";
import { callApi, toProblemBody } from "@/lib/client/api";
import type { CheckResult, ConfigurationCheckInput } from "@/lib/contract/configuration-check";
import type { Issue } from "@/lib/contract/problem";
import type { AnswerSheet } from "@/lib/domain/answer-sheet";
import { settingPointer } from "@/lib/domain/configuration";

const POLL_MS = 500;

/** What a form needs to offer the check. */
export interface CheckedForm {
  /** Called when the check starts, with the answers as they are then. */
  createInput: (sheet: AnswerSheet) => ConfigurationCheckInput;
  /** Marks these issues and no others. The first one takes the focus. */
  mark: (issues: readonly Issue[]) => void;
}

/** Sends the unsaved answers to the app, and marks what it finds. Leaving the page cancels it. */
export function useConfigurationCheck({ createInput, mark }: CheckedForm) {
  const { sheet } = useSheet();
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
      if (issues.length > 0) return;
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
  const shapes = () => import("@/lib/contract/configuration-check");
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
