"use client";

import { useRef, type ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import type { Issue } from "@/lib/contract/problem";
import { IssueSummary } from "@/components/configuration-form/issue-summary";
import { tenantOf, type ChangeDraft, type LaunchDraft } from "./launch-draft";
import { within } from "@/lib/contract/pointer";
import type { LaunchOffer } from "./launch-offer";
import { furthestOf, pointerOfStep, progressOf, type Step } from "./launch-steps";
import { StepBody } from "./step-body";
import { StepList } from "./step-list";
import { useStepFocus, type FocusRequest } from "./use-step-focus";

interface StepFormProps {
  offer: LaunchOffer;
  draft: LaunchDraft;
  steps: Step[];
  current: number;
  /** All that is wrong or missing. */
  missing: readonly Issue[];
  /** The problems that are marked. */
  issues: readonly Issue[];
  onChange: ChangeDraft;
  /** With a pointer: to that field of the step. */
  onOpen: (index: number, pointer?: string) => void;
  onNext: () => void;
  /** What the button of the last step says. */
  launchText: string;
  isLaunching?: boolean;
  test?: boolean;
  focus?: FocusRequest;
  /** Names of secrets that were entered on an earlier visit. */
  secretsBefore?: ReadonlySet<string>;
  /** Below the tenants: connecting another, refreshing products. */
  tenantTools?: ReactNode;
  /** Between the step and its buttons. */
  children?: ReactNode;
}

/** One step of a launch, with the way to the others: what customers go through, and publishers in the preview. */
export function StepForm(props: StepFormProps) {
  const { offer, draft, steps, current, missing, issues, onChange, onOpen, onNext, launchText } = props;
  const { isLaunching = false, test = false, focus, children } = props;
  const frame = useRef<HTMLFormElement>(null);
  const step = steps[current];
  useStepFocus(frame, step?.id, focus);
  if (step === undefined) return null;
  const progress = progressOf(offer, draft, steps, missing);
  const isSkip = progress[current] === "skipped";
  return (
    <div className="@container">
      <div className="grid gap-6 lg:@2xl:grid-cols-[13rem_minmax(0,1fr)] lg:@2xl:gap-10">
        <StepList
          steps={steps}
          progress={progress}
          current={current}
          furthest={Math.max(current, furthestOf(steps, missing))}
          isLocked={isLaunching}
          onOpen={onOpen}
        />
        <form
          ref={frame}
          noValidate
          tabIndex={-1}
          aria-label={step.title}
          className="min-w-0 wrap-anywhere outline-none"
          onSubmit={(event) => {
            event.preventDefault();
            if (!isLaunching) onNext();
          }}
        >
          <Card title={step.title} actions={test && <Badge tone="warning">Test Launch</Badge>}>
            <div className="flex flex-col gap-6">
              <IssueSummary issues={within(issues, pointerOfStep(step))} />
              <StepBody
                step={step}
                steps={steps}
                offer={offer}
                draft={draft}
                tenant={tenantOf(offer, draft)}
                issues={issues}
                secretsBefore={props.secretsBefore}
                tenantTools={props.tenantTools}
                onChange={onChange}
                onOpen={(id, pointer) =>
                  onOpen(
                    steps.findIndex((each) => each.id === id),
                    pointer,
                  )
                }
              />
              {children}
              <div className="flex flex-wrap items-center justify-end gap-3 border-t border-line pt-5">
                {current > 0 && (
                  <Button
                    tone="quiet"
                    isDisabled={isLaunching}
                    onPress={() => onOpen(current - 1)}
                    className="mr-auto -ml-4"
                  >
                    Back
                  </Button>
                )}
                {isSkip && (
                  <p className="order-first w-full text-[13px] leading-5 text-ink-faint sm:order-none sm:w-auto">
                    Nothing here is needed. Skipped, the app gets nothing for it.
                  </p>
                )}
                <Button type="submit" tone={isSkip ? "secondary" : "primary"} isPending={isLaunching}>
                  {step.id === "review" ? launchText : isSkip ? "Skip" : "Continue"}
                </Button>
              </div>
            </div>
          </Card>
        </form>
      </div>
    </div>
  );
}
