"use client";

import { Check, Minus } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { createFills, SettingsForm } from "@/components/ui/forms/settings-form";
import { within } from "@/lib/contract/platform/problem";
import { IssueSummary, useSheet } from "./answer-form";
import { hasFreeTenant } from "./launch-draft";
import { furthestStep, listProgress, type Progress, stepPointer, useStepFocus, useWizard } from "./wizard";

interface StepFormProps {
  /** The button of the last step. */
  submitText: string;
  badge?: ReactNode;
  /** The step's content. */
  children: ReactNode;
}

/** One step of a launch, with the list of all steps: for customers, and for publishers in the preview. */
export function StepForm({ submitText, badge, children }: StepFormProps) {
  const { sheet, issues } = useSheet();
  const { offer, steps, current, missing, focus, isReturning, isSent, open, next } = useWizard();
  const frame = useRef<HTMLFormElement>(null);
  const [fills] = useState(createFills);
  const leaveFor = (id: string | undefined) => fills.check() && open(id);
  const step = steps[current];
  useStepFocus(frame, step?.id, focus);
  if (step === undefined) return null;
  const progress = listProgress(sheet, steps, missing);
  // Without a tenant to choose, the only way on is to connect one.
  const isEnd = step.id === "tenant" && !hasFreeTenant(offer);
  // The app may find a problem of no single setting.
  const general = step.id === "configure" ? issues.filter(({ pointer }) => pointer === "") : [];
  const isSkip = progress[current] === "skipped";
  return (
    <div className="@container">
      <div className="grid gap-6 lg:@2xl:grid-cols-[13rem_minmax(0,1fr)] lg:@2xl:gap-10">
        <StepList progress={progress} onOpen={leaveFor} />
        <SettingsForm
          ref={frame}
          fills={fills}
          tabIndex={-1}
          aria-label={step.title}
          className="min-w-0 wrap-anywhere outline-none"
          onSubmit={(event) => {
            event.preventDefault();
            if (!isSent) next();
          }}
        >
          <Card title={step.title} actions={badge}>
            <div className="flex flex-col gap-6">
              <IssueSummary issues={[...general, ...within(issues, stepPointer(step))]} />
              {children}
              {!isEnd && (
                <div className="flex flex-wrap items-center justify-end gap-3 border-t border-line pt-5">
                  {current > 0 && (
                    <Button
                      tone="quiet"
                      isDisabled={isSent}
                      onPress={() => leaveFor(steps[current - 1]?.id)}
                      className="mr-auto -ml-4"
                    >
                      Back
                    </Button>
                  )}
                  {isSkip && (
                    <p className="order-first w-full text-small leading-5 text-ink-faint sm:order-none sm:w-auto sm:max-w-md">
                      {step.id === "configure"
                        ? "All settings in this step are optional. The app doesn't receive the ones you skip."
                        : "All fields in this step are optional. The app doesn't receive the ones you skip."}
                    </p>
                  )}
                  <Button type="submit" tone={isSkip ? "secondary" : "primary"} isPending={isSent}>
                    {step.id === "review"
                      ? submitText
                      : isReturning && missing.length === 0
                        ? "Back to review"
                        : isSkip
                          ? "Skip"
                          : "Continue"}
                  </Button>
                </div>
              )}
            </div>
          </Card>
        </SettingsForm>
      </div>
    </div>
  );
}

interface StepListProps {
  progress: readonly Progress[];
  onOpen: (stepId: string) => void;
}

/** Beside the step where the page and its container (`@container`) are wide, otherwise in a row above it. */
function StepList({ progress, onOpen }: StepListProps) {
  const { steps, current, missing, isSent } = useWizard();
  const furthest = Math.max(current, furthestStep(steps, missing));
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const box = list.current;
    const item = box?.querySelector<HTMLElement>('[aria-current="step"]') ?? null;
    if (box === null || item === null) return;
    // Scrolls the list only, not the page.
    box.scrollTop = item.offsetTop - box.clientHeight / 2;
  }, [current]);
  return (
    <nav aria-label="Steps" className="min-w-0 lg:@2xl:sticky lg:@2xl:top-6 lg:@2xl:self-start">
      <p className="mb-2 text-small text-ink-faint lg:@2xl:hidden">
        Step {current + 1} of {steps.length}
      </p>
      <ol
        ref={list}
        className="relative -m-1 flex flex-wrap gap-1 overflow-auto p-1 lg:@2xl:max-h-[calc(100dvh-6rem)] lg:@2xl:flex-col lg:@2xl:flex-nowrap"
      >
        {steps.map((step, index) => {
          const isCurrent = index === current;
          const status = index > furthest ? "open" : (progress[index] ?? "open");
          return (
            <li key={step.id} className="max-w-full shrink-0">
              <button
                type="button"
                aria-current={isCurrent ? "step" : undefined}
                disabled={index > furthest || isSent}
                onClick={() => onOpen(step.id)}
                className={`flex w-full items-center gap-3 rounded-field px-2 py-2 text-left text-sm enabled:cursor-pointer enabled:hover:bg-hover ${
                  isCurrent ? "font-medium text-ink" : "text-ink-faint"
                }`}
              >
                <StepMark index={index} isCurrent={isCurrent} progress={status} />
                <span className={`max-w-44 truncate ${isCurrent ? "" : "sr-only lg:@2xl:not-sr-only"}`}>
                  {step.title}
                </span>
                {!isCurrent && status !== "open" && <span className="sr-only">, {status}</span>}
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

interface StepMarkProps {
  index: number;
  isCurrent: boolean;
  progress: Progress;
}

function StepMark({ index, isCurrent, progress }: StepMarkProps) {
  const style = isCurrent
    ? "border-transparent bg-accent text-accent-ink"
    : progress === "answered"
      ? "border-transparent bg-accent-soft text-accent-text"
      : "border-line text-ink-faint";
  const Icon = progress === "answered" ? Check : Minus;
  return (
    <span
      aria-hidden
      className={`flex size-6 shrink-0 items-center justify-center rounded-full border text-xs font-medium ${style}`}
    >
      {isCurrent || progress === "open" ? index + 1 : <Icon className="size-3.5" />}
    </span>
  );
}
