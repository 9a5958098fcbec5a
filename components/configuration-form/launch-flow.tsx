"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useCallback, useState } from "react";
import { z } from "zod";
import { ProblemNotice } from "@/components/ui/problem-notice";
import type { Issue } from "@/lib/contract/problem";
import { callApi, problemBodyOf } from "@/lib/client/api";
import {
  emptyDraft,
  issuesOf,
  launchInputOf,
  pointerOfStep,
  stepsOf,
  tenantOf,
  within,
  type LaunchOffer,
} from "./launch-draft";
import type { ChangeDraft } from "./step-body";
import { StepForm } from "./step-form";
import { useStep } from "./use-step";

const launched = z.object({ installationId: z.uuid() });

/** Tenant → Configure → one mapping a product → Review → Launch. */
export function LaunchFlow({ offer, test }: { offer: LaunchOffer; test: boolean }) {
  const router = useRouter();
  const [draft, setDraft] = useState(() => emptyDraft(offer));
  const [shown, setShown] = useState<Issue[]>([]);
  const steps = stepsOf(offer, draft);
  const issues = issuesOf(offer, draft);
  const firstOpen = steps.findIndex((step) => within(issues, pointerOfStep(step)).length > 0);
  const [current, open] = useStep(
    steps.map((step) => step.id),
    firstOpen === -1 ? steps.length - 1 : firstOpen,
  );
  const step = steps[current];
  const tenant = tenantOf(offer, draft);

  const launch = useMutation({
    mutationFn: () => {
      if (tenant === undefined) throw new Error("no tenant is chosen");
      return callApi("POST", "/api/installations", {
        body: launchInputOf(offer, draft, tenant, test),
        answer: launched,
      });
    },
    onSuccess: ({ installationId }) => router.push(`/installations/${installationId}`),
    onError: (error) => {
      const refused = problemBodyOf(error).issues ?? [];
      setShown(refused);
      const place = steps.findIndex((each) => within(refused, pointerOfStep(each)).length > 0);
      if (place !== -1) open(place);
    },
  });
  const change: ChangeDraft = useCallback((changed, pointer) => {
    setDraft(changed);
    // What is being mended is no longer marked; the next step looks again.
    setShown((marked) => marked.filter((issue) => !within([issue], pointer).length));
  }, []);
  if (step === undefined) return null;

  const next = () => {
    if (step.id === "review") return launch.mutate();
    const missing = within(issues, pointerOfStep(step));
    setShown(missing);
    if (missing.length === 0) open(current + 1);
  };

  return (
    <StepForm
      offer={offer}
      draft={draft}
      steps={steps}
      current={current}
      issues={shown}
      onChange={change}
      onOpen={open}
      onNext={next}
      launchText={test ? "Start Test Launch" : "Launch"}
      isLaunching={launch.isPending || launch.isSuccess}
    >
      {step.id === "review" && <ProblemNotice error={launch.error} />}
    </StepForm>
  );
}
