"use client";

import type { ReactNode } from "react";
import { CheckStrip } from "@/components/configuration-check/check-strip";
import { NamesSwitch } from "@/components/configuration-form/names-shown";
import { SettingRows } from "@/components/configuration-form/setting-row";
import { CopyToOthers } from "@/components/mapping/copy-to-others";
import { MappingFields } from "@/components/mapping/mapping-fields";
import { ReviewStep } from "./review-step";
import { useWizard } from "./use-wizard";

/** What every launch asks after the tenant: settings, one mapping per product, and a review. */
export function StepBody() {
  const { offer, steps, current, check } = useWizard();
  const step = steps[current];
  if (step === undefined || step.id === "tenant") return null;
  if (step.id === "review") return <ReviewStep />;
  if (!("product" in step))
    return (
      <>
        <StepLead>
          Fields are required unless marked optional. The app doesn&apos;t receive the ones you leave empty.
        </StepLead>
        <SettingRows settings={offer.settings} />
        {check !== undefined && <CheckStrip {...check} className="border-t border-line pt-5" />}
      </>
    );
  return (
    <>
      <StepLead>
        Choose where {step.product.name} stores the data that the app works on. The app receives these paths
        with every call. Fields are required unless marked optional.
      </StepLead>
      <MappingFields key={step.product.name} product={step.product} fields={offer.mappingFields} />
      <CopyToOthers key={`copy ${step.product.name}`} product={step.product} />
    </>
  );
}

function StepLead({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
      <p className="min-w-0 flex-1 basis-64 text-ink-soft">{children}</p>
      <NamesSwitch />
    </div>
  );
}
