"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { z } from "zod";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ProblemNotice } from "@/components/ui/problem-notice";
import type { Issue } from "@/lib/contract/problem";
import { callApi, problemBodyOf } from "@/lib/client/api";
import { IssueSummary } from "./issue-summary";
import {
  emptyDraft,
  issuesOf,
  launchInputOf,
  pointerOfStep,
  stepsOf,
  tenantOf,
  within,
  type LaunchDraft,
  type LaunchOffer,
} from "./launch-draft";
import { StepBody } from "./step-body";
import { StepList } from "./step-list";
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
  if (step === undefined) return null;

  const change = (changed: LaunchDraft, pointer: string) => {
    setDraft(changed);
    // What is being mended is no longer marked; the next step looks again.
    setShown((marked) => marked.filter((issue) => !within([issue], pointer).length));
  };
  const next = () => {
    if (step.id === "review") return launch.mutate();
    const missing = within(issues, pointerOfStep(step));
    setShown(missing);
    if (missing.length === 0) open(current + 1);
  };

  return (
    <div className="grid gap-6 lg:grid-cols-[13rem_minmax(0,1fr)] lg:gap-10">
      <StepList steps={steps} current={current} onOpen={open} />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          next();
        }}
      >
        <Card title={step.title}>
          <div className="flex flex-col gap-6">
            <IssueSummary issues={within(shown, pointerOfStep(step))} />
            <StepBody
              step={step}
              offer={offer}
              draft={draft}
              tenant={tenant}
              issues={shown}
              onChange={change}
            />
            {step.id === "review" && <ProblemNotice error={launch.error} />}
            <div className="flex items-center justify-between gap-3 border-t border-line pt-5">
              <Button
                tone="quiet"
                isDisabled={current === 0 || launch.isPending}
                onPress={() => open(current - 1)}
                className={current === 0 ? "invisible" : ""}
              >
                Back
              </Button>
              <Button type="submit" tone="primary" isPending={launch.isPending || launch.isSuccess}>
                {step.id !== "review" ? "Continue" : test ? "Start Test Launch" : "Launch"}
              </Button>
            </div>
          </div>
        </Card>
      </form>
    </div>
  );
}
