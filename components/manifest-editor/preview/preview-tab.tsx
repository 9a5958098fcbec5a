"use client";

import { useCallback, useRef, useState } from "react";
import { type ChangeDraft, type LaunchDraft } from "@/components/launch/launch-draft";
import { within } from "@/lib/contract/pointer";
import { pointerOfStep, stepOfFirst, stepsOf } from "@/components/launch/launch-steps";
import { StepForm } from "@/components/launch/step-form";
import type { FocusRequest } from "@/components/launch/use-step-focus";
import { EXAMPLE_TENANT } from "./example-installation";
import { fillWithExamples } from "./example-values";
import { LeftOutNotice } from "./left-out-notice";
import { PreviewBar } from "./preview-bar";
import { PreviewFrame } from "./preview-frame";
import { PreviewOutcome } from "./preview-outcome";
import { usePreview } from "./preview-values";

/** The launch of the draft, drawn by what customers launch with, for a customer that does not exist. */
export function PreviewTab() {
  const preview = usePreview();
  const { app, offer, draft, issues, shown, width, outcome, set } = preview;
  // The example has one tenant: there is nothing to choose.
  const steps = stepsOf(offer, draft).filter(({ id }) => id !== "tenant");
  const current = Math.max(
    0,
    steps.findIndex(({ id }) => id === preview.step),
  );
  const frame = useRef<HTMLDivElement>(null);
  const [focus, setFocus] = useState<FocusRequest>();
  const open = (index: number, pointer?: string) => {
    const stepId = steps[index]?.id;
    if (stepId !== undefined && pointer !== undefined) setFocus({ stepId, pointer });
    set(() => ({ step: steps[index]?.id ?? "", outcome: undefined }));
    // As on the launch page, each step starts at its top.
    if ((frame.current?.getBoundingClientRect().top ?? 0) < 0) frame.current?.scrollIntoView();
  };

  const change: ChangeDraft = useCallback(
    (changed, pointer) =>
      set((state) => ({
        draft: changed(state.draft),
        shown: state.shown.filter((issue) => within([issue], pointer).length === 0),
        outcome: undefined,
      })),
    [set],
  );
  const replace = (changed: (before: LaunchDraft) => LaunchDraft) =>
    set((state) => ({ draft: changed(state.draft), shown: [], outcome: undefined }));

  const step = steps[current];
  const mark = (missing: typeof issues, done: () => void) => {
    const isHere = step !== undefined && within(missing, pointerOfStep(step)).length > 0;
    const place = stepOfFirst(steps, missing);
    set(() => ({ shown: missing, outcome: undefined }));
    if (place === -1) done();
    else if (!isHere) open(place);
  };
  const next = () => {
    if (step === undefined) return;
    if (step.id === "review") return mark(issues, () => set(() => ({ outcome: "launched" })));
    const lacking = within(issues, pointerOfStep(step));
    mark(lacking, () => open(current + 1));
    const [first] = lacking;
    if (first !== undefined) setFocus({ stepId: step.id, pointer: first.pointer });
  };

  return (
    <div className="flex min-w-0 flex-col gap-4">
      <PreviewBar
        width={width}
        onWidth={(chosen) => set(() => ({ width: chosen }))}
        onFill={() => replace((before) => fillWithExamples(offer, EXAMPLE_TENANT, before))}
        onClear={() => replace((before) => ({ ...before, settings: new Map(), paths: new Map() }))}
        onValidate={() => mark(issues, () => set(() => ({ outcome: "ready" })))}
      />
      <LeftOutNotice count={app.leftOut} />
      <PreviewFrame ref={frame} width={width} offer={offer}>
        <StepForm
          offer={offer}
          draft={draft}
          steps={steps}
          current={current}
          missing={issues}
          issues={shown}
          focus={focus}
          onChange={change}
          onOpen={open}
          onNext={next}
          launchText="Launch"
        >
          <PreviewOutcome outcome={outcome} />
        </StepForm>
      </PreviewFrame>
    </div>
  );
}
