"use client";

import { CheckCheck, Eraser, Monitor, Smartphone, WandSparkles } from "lucide-react";
import { type ReactNode, type Ref, useCallback, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Segments } from "@/components/ui/forms/segments";
import { Notice } from "@/components/ui/notice";
import { type AnswerChange, UNTOUCHED } from "@/lib/domain/catalog/answer-sheet";
import { SheetContext } from "../../configuration-form/answer-form";
import { type LaunchOffer, withDraftAnswers } from "../../configuration-form/launch-draft";
import { StepBody } from "../../configuration-form/step-body";
import { StepForm } from "../../configuration-form/step-form";
import { listSteps, useStepNavigation, WizardContext } from "../../configuration-form/wizard";
import { createExampleAnswers, EXAMPLE_TENANT } from "./example-customer";
import { LeftOutNotice, usePreview } from "./preview-store";

const WIDTHS = [
  { value: "phone", text: "Phone", icon: Smartphone },
  { value: "desktop", text: "Desktop", icon: Monitor },
] as const;

/** The launch of the draft, with the same components that customers use, for an imaginary customer. */
export function PreviewTab() {
  const { store, app, offer, sheet, issues, marked, width, outcome, step } = usePreview();
  const { setState } = store;
  // The example has one tenant, so there is nothing to choose.
  const steps = listSteps(offer, EXAMPLE_TENANT).filter(({ id }) => id !== "tenant");
  const current = Math.max(
    0,
    steps.findIndex(({ id }) => id === step),
  );
  const frame = useRef<HTMLDivElement>(null);
  const [opensEndpoints, setOpensEndpoints] = useState(false);
  const openStep = (index: number) => {
    setState({ step: steps[index]?.id ?? "", outcome: undefined });
    // Each step starts at its top, as on the launch page.
    if ((frame.current?.getBoundingClientRect().top ?? 0) < 0) frame.current?.scrollIntoView();
  };
  const { focus, isReturning, open, mark, next } = useStepNavigation({
    steps,
    current,
    findIssues: () => issues,
    setMarked: (found) => setState({ marked: found, outcome: undefined }),
    openStep,
    finish: () => setState({ outcome: "launched" }),
  });
  const changeAll = useCallback(
    (changes: readonly AnswerChange[]) => {
      const edited = changes.map(([pointer]) => pointer);
      setState((state) => ({
        draft: withDraftAnswers(offer, state.draft, changes),
        marked: state.marked.filter(({ pointer }) => !edited.includes(pointer)),
        outcome: undefined,
      }));
    },
    [setState, offer],
  );
  const clear = () =>
    setState(({ draft }) => ({ draft: { ...draft, answers: UNTOUCHED }, marked: [], outcome: undefined }));
  const validate = () => (issues.length === 0 ? setState({ marked: [], outcome: "ready" }) : mark(issues));

  return (
    <div className="flex min-w-0 flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Segments
          label="Width"
          options={WIDTHS}
          value={width}
          onChange={(value) => setState({ width: value })}
        />
        <div className="flex flex-wrap gap-2">
          <Button
            size="small"
            onPress={() => changeAll(createExampleAnswers(sheet, EXAMPLE_TENANT.products))}
          >
            <WandSparkles aria-hidden className="size-4" />
            Fill with examples
          </Button>
          <Button size="small" onPress={clear}>
            <Eraser aria-hidden className="size-4" />
            Clear
          </Button>
          <Button size="small" onPress={validate}>
            <CheckCheck aria-hidden className="size-4" />
            Validate
          </Button>
        </div>
      </div>
      <LeftOutNotice count={app.leftOut} />
      <PreviewFrame ref={frame} isPhone={width === "phone"} offer={offer}>
        <SheetContext value={{ sheet, issues: marked, changeAll }}>
          <WizardContext
            value={{
              offer,
              tenant: EXAMPLE_TENANT,
              steps,
              current,
              missing: issues,
              focus,
              isReturning,
              isSent: false,
              opensEndpoints,
              setOpensEndpoints,
              open,
              next,
            }}
          >
            <StepForm submitText="Launch">
              <StepBody />
              {outcome === "ready" && (
                <Notice tone="success" title="A customer could launch with these answers">
                  Everything that the app requires is filled in. “What the app sees” shows the result.
                </Notice>
              )}
              {outcome === "launched" && (
                <Notice title="A launch would start here">
                  The preview launches nothing. To run a published version, use Test Launch on the
                  listing&apos;s page.
                </Notice>
              )}
            </StepForm>
          </WizardContext>
        </SheetContext>
      </PreviewFrame>
    </div>
  );
}

interface PreviewFrameProps {
  ref: Ref<HTMLDivElement>;
  isPhone: boolean;
  offer: LaunchOffer;
  children: ReactNode;
}

/** The launch page in a box as wide as the chosen screen; on a smaller screen, as wide as that. */
function PreviewFrame({ ref, isPhone, offer, children }: PreviewFrameProps) {
  return (
    <div
      ref={ref}
      className={`mx-auto w-full min-w-0 scroll-mt-40 rounded-card border border-line-strong bg-ground shadow-high ${
        isPhone ? "max-w-[24.375rem] p-4 py-6" : "max-w-5xl p-4 sm:p-8"
      }`}
    >
      <header className="mb-6">
        <h2 className="text-2xl font-semibold tracking-tight break-words text-ink">
          Launch <bdi>{offer.title}</bdi>
        </h2>
        <p className="mt-1 text-ink-soft">
          {offer.number !== "" && (
            <>
              Version <bdi>{offer.number}</bdi>{" "}
            </>
          )}
          by {offer.publisherName}
        </p>
      </header>
      {children}
    </div>
  );
}
