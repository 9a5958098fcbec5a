"use client";

import { useCallback } from "react";
import type { Issue } from "@/lib/contract/problem";
import {
  pathIn,
  pointerTo,
  withPath,
  withSetting,
  type LaunchDraft,
  type LaunchOffer,
  type LaunchTenant,
  type Step,
} from "./launch-draft";
import { MappingFields } from "./mapping-fields";
import { ReviewStep } from "./review-step";
import { SettingFields } from "./setting-fields";
import { TenantStep } from "./tenant-step";

/** `pointer`: the place of the answer that changes. The same function for as long as the page is there. */
export type ChangeDraft = (change: (draft: LaunchDraft) => LaunchDraft, pointer: string) => void;

interface StepBodyProps {
  step: Step;
  offer: LaunchOffer;
  draft: LaunchDraft;
  tenant: LaunchTenant | undefined;
  issues: readonly Issue[];
  onChange: ChangeDraft;
}

export function StepBody({ step, offer, draft, tenant, issues, onChange }: StepBodyProps) {
  const changeSetting = useCallback(
    (name: string, value: string | undefined) =>
      onChange((before) => withSetting(before, name, value), pointerTo("settings", name)),
    [onChange],
  );
  if (step.id === "tenant") {
    const choose = (tenantId: string) => onChange((before) => ({ ...before, tenantId }), "/tenantId");
    return <TenantStep tenants={offer.tenants} value={draft.tenantId} onChange={choose} />;
  }
  if (step.id === "configure")
    return (
      <SettingFields
        settings={offer.settings}
        values={draft.settings}
        issues={issues}
        onChange={changeSetting}
      />
    );
  if (tenant === undefined) return null;
  if (!("product" in step)) return <ReviewStep offer={offer} draft={draft} tenant={tenant} />;
  const { product } = step;
  return (
    <MappingFields
      product={product}
      fields={offer.mappingFields}
      pathOf={(field) => pathIn(draft, tenant.id, product, field)}
      issues={issues}
      onChange={({ name }, path) =>
        onChange(
          (before) => withPath(before, [tenant.id, product.name, name], path),
          pointerTo("mappings", product.name, name),
        )
      }
    />
  );
}
