"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useCallback, useDeferredValue, useMemo, useState } from "react";
import { ProblemNotice } from "@/components/ui/problem-notice";
import type { Issue } from "@/lib/contract/problem";
import type { DraftOwner } from "./kept-draft";
import { KeptNotice } from "./kept-notice";
import { issuesOf, tenantOf, type ChangeDraft } from "./launch-draft";
import { within } from "@/lib/contract/pointer";
import type { LaunchOffer } from "./launch-offer";
import { furthestOf, pointerOfStep, stepOfFirst, stepsOf } from "./launch-steps";
import { StepForm } from "./step-form";
import { StepSkeleton } from "./step-skeleton";
import { TenantTools } from "./tenant-tools";
import { useLaunch } from "./use-launch";
import { useLaunchStore } from "./use-launch-store";
import { useStep } from "./use-step";
import type { FocusRequest } from "./use-step-focus";

interface LaunchFlowProps {
  offer: LaunchOffer;
  owner: DraftOwner;
  mayConnect: boolean;
  /** Of the publishing organization: may make a sandbox for a Test Launch. */
  maySandbox: boolean;
}

/** Tenant → Configure → one mapping a product → Review → Launch. */
export function LaunchFlow({ offer, owner, mayConnect, maySandbox }: LaunchFlowProps) {
  const { test } = owner;
  const pathname = usePathname();
  const search = useSearchParams();
  const { actions, draft, isRead, found, secrets, isKept } = useLaunchStore(owner, offer);
  const [shown, setShown] = useState<readonly Issue[]>([]);
  const [focus, setFocus] = useState<FocusRequest>();
  const steps = stepsOf(offer, draft);
  // Of fifty products there are thousands of paths to check: typing does not wait for it.
  const settled = useDeferredValue(draft);
  const missing = useMemo(() => issuesOf(offer, settled), [offer, settled]);
  const [current, openStep] = useStep(
    steps.map((step) => step.id),
    furthestOf(steps, missing),
    settled === draft,
  );
  const step = steps[current];
  const tenant = tenantOf(offer, draft);

  const open = (index: number, pointer?: string) => {
    const stepId = steps[index]?.id;
    if (stepId === undefined) return;
    setFocus({ stepId, pointer });
    if (index !== current) openStep(index);
  };
  const mark = (issues: readonly Issue[]) => {
    setShown(issues);
    const place = stepOfFirst(steps, issues);
    const at = steps[place];
    if (at !== undefined) open(place, within(issues, pointerOfStep(at))[0]?.pointer);
  };
  const launch = useLaunch({ offer, draft, test, onLaunched: actions.forget, onRefused: mark });
  const change: ChangeDraft = useCallback(
    (changed, pointer) => {
      actions.change(changed, offer);
      // What is being mended is no longer marked; the next step looks again.
      setShown((marked) =>
        within(marked, pointer).length === 0
          ? marked
          : marked.filter((issue) => !within([issue], pointer).length),
      );
    },
    [actions, offer],
  );
  if (step === undefined || (!isRead && search.has("step"))) return <StepSkeleton />;

  const next = () => {
    if (step.id === "review") return launch.mutate();
    const lacking = within(issuesOf(offer, draft), pointerOfStep(step));
    if (lacking.length > 0) return mark(lacking);
    setShown([]);
    open(current + 1);
  };
  return (
    <div className="flex min-w-0 flex-col gap-6">
      {found !== undefined && (
        <KeptNotice
          found={found}
          number={offer.number}
          onKeep={() => {
            actions.putNoticeAway();
            if (step !== undefined) setFocus({ stepId: step.id });
          }}
          onStartAnew={() => {
            setShown([]);
            actions.startAnew();
            open(0);
          }}
        />
      )}
      <StepForm
        offer={offer}
        draft={draft}
        steps={steps}
        current={current}
        missing={missing}
        issues={shown}
        onChange={change}
        onOpen={open}
        onNext={next}
        launchText={test ? "Start Test Launch" : "Launch"}
        isLaunching={launch.isPending || launch.isSuccess}
        test={test}
        focus={focus}
        secretsBefore={secrets}
        tenantTools={
          <TenantTools
            tenants={offer.tenants}
            tenant={tenant}
            mayConnect={mayConnect}
            maySandbox={test && maySandbox}
            here={search.size === 0 ? pathname : `${pathname}?${search}`}
            onChoose={(tenantId) => change((before) => ({ ...before, tenantId }), "/tenantId")}
          />
        }
      >
        {step.id === "review" && <ProblemNotice error={launch.error} />}
        {!isKept && (
          <p className="text-[13px] text-ink-faint">
            This browser keeps nothing: what you enter is gone when you leave this page.
          </p>
        )}
      </StepForm>
    </div>
  );
}
