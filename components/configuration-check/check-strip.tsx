"use client";

import { CircleCheck, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Button, Spinner } from "@/components/ui/button";
import { ProblemNotice } from "@/components/ui/problem-notice";
import type { CheckResult } from "@/lib/contract/configuration-check";
import { useConfigurationCheck, type CheckedForm } from "./use-configuration-check";

/** Offers to check the settings with the app before they are saved. Nobody has to. */
export function CheckStrip({ className = "", ...form }: CheckedForm & { className?: string }) {
  const check = useConfigurationCheck(form);
  return (
    <div className={`flex flex-col gap-3 ${className}`}>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div aria-live="polite" className="min-w-0 flex-1 basis-64 text-[13px] leading-5 wrap-anywhere">
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
  if (isRunning)
    return (
      <p className="flex items-start gap-2 text-ink">
        <span aria-hidden className="mt-0.5">
          <Spinner />
        </span>
        {isStarting ? "Starting the app. This can take a minute…" : "The app is checking your settings…"}
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
