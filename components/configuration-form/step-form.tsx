"use client";

import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import type { Issue } from "@/lib/contract/problem";
import { IssueSummary } from "./issue-summary";
import {
  pointerOfStep,
  tenantOf,
  within,
  type LaunchDraft,
  type LaunchOffer,
  type Step,
} from "./launch-draft";
import { StepBody, type ChangeDraft } from "./step-body";
import { StepList } from "./step-list";

interface StepFormProps {
  offer: LaunchOffer;
  draft: LaunchDraft;
  steps: Step[];
  current: number;
  /** The problems that are marked. */
  issues: readonly Issue[];
  onChange: ChangeDraft;
  onOpen: (index: number) => void;
  onNext: () => void;
  /** What the button of the last step says. */
  launchText: string;
  isLaunching?: boolean;
  /** Between the step and its buttons. */
  children?: ReactNode;
}

/** One step of a launch, with the way to the others: what customers go through, and publishers in the preview. */
export function StepForm(props: StepFormProps) {
  const { offer, draft, steps, current, issues, onChange, onOpen, onNext, launchText, children } = props;
  const { isLaunching = false } = props;
  const step = steps[current];
  if (step === undefined) return null;
  return (
    <div className="@container">
      <div className="grid gap-6 lg:@2xl:grid-cols-[13rem_minmax(0,1fr)] lg:@2xl:gap-10">
        <StepList steps={steps} current={current} onOpen={onOpen} />
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            onNext();
          }}
        >
          <Card title={step.title}>
            <div className="flex flex-col gap-6">
              <IssueSummary issues={within(issues, pointerOfStep(step))} />
              <StepBody
                step={step}
                offer={offer}
                draft={draft}
                tenant={tenantOf(offer, draft)}
                issues={issues}
                onChange={onChange}
              />
              {children}
              <div className="flex items-center justify-between gap-3 border-t border-line pt-5">
                <Button
                  tone="quiet"
                  isDisabled={current === 0 || isLaunching}
                  onPress={() => onOpen(current - 1)}
                  className={current === 0 ? "invisible" : ""}
                >
                  Back
                </Button>
                <Button type="submit" tone="primary" isPending={isLaunching}>
                  {step.id === "review" ? launchText : "Continue"}
                </Button>
              </div>
            </div>
          </Card>
        </form>
      </div>
    </div>
  );
}
