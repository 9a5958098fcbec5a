"use client";

import { useCallback, type ReactNode } from "react";
import type { MappingField } from "@/lib/contract/manifest";
import type { Issue } from "@/lib/contract/problem";
import { ConfigureStep } from "./configure-step";
import { CopyToOthers } from "./copy-to-others";
import { pathIn, withPath, withSetting, type ChangeDraft, type LaunchDraft } from "./launch-draft";
import { pointerTo } from "@/lib/contract/pointer";
import type { LaunchOffer, LaunchProduct, LaunchTenant } from "./launch-offer";
import type { Step } from "./launch-steps";
import { MappingFields } from "@/components/mapping/mapping-fields";
import { ReviewStep } from "./review-step";
import { StepLead } from "./step-lead";
import { TenantStep } from "./tenant-step";

interface StepBodyProps {
  step: Step;
  steps: readonly Step[];
  offer: LaunchOffer;
  draft: LaunchDraft;
  tenant: LaunchTenant | undefined;
  issues: readonly Issue[];
  secretsBefore?: ReadonlySet<string>;
  tenantTools?: ReactNode;
  onChange: ChangeDraft;
  /** Another step by its id, at one of its fields. */
  onOpen: (stepId: string, pointer: string) => void;
}

export function StepBody(props: StepBodyProps) {
  const { step, steps, offer, draft, tenant, issues, secretsBefore, tenantTools, onChange, onOpen } = props;
  const changeSetting = useCallback(
    (name: string, value: string | undefined) =>
      onChange((before) => withSetting(before, name, value), pointerTo("settings", name)),
    [onChange],
  );
  if (step.id === "tenant") {
    const choose = (tenantId: string) => onChange((before) => ({ ...before, tenantId }), "/tenantId");
    return (
      <TenantStep tenants={offer.tenants} value={tenant?.id} onChange={choose}>
        {tenantTools}
      </TenantStep>
    );
  }
  if (step.id === "configure")
    return (
      <ConfigureStep
        settings={offer.settings}
        values={draft.settings}
        secretsBefore={secretsBefore}
        issues={issues}
        onChange={changeSetting}
      />
    );
  if (tenant === undefined) return null;
  if (!("product" in step)) {
    const isAsked = steps.some(({ id }) => id === "tenant");
    return <ReviewStep offer={offer} draft={draft} tenant={tenant} isTenantAsked={isAsked} onOpen={onOpen} />;
  }
  return (
    <MapStep key={step.product.name} {...{ offer, draft, tenant, issues, onChange }} product={step.product} />
  );
}

interface MapStepProps extends Pick<StepBodyProps, "offer" | "draft" | "issues" | "onChange"> {
  tenant: LaunchTenant;
  product: LaunchProduct;
}

function MapStep({ offer, draft, tenant, product, issues, onChange }: MapStepProps) {
  const pathOf = (name: string) => (field: MappingField) => pathIn(draft, tenant.id, name, field);
  return (
    <>
      <StepLead>
        Say where {product.name} keeps what the app works on. The app gets these paths with every call. What
        is not marked optional is needed.
      </StepLead>
      <MappingFields
        product={product}
        others={tenant.products
          .filter((other) => other !== product)
          .map(({ name }) => ({ name, pathOf: pathOf(name) }))}
        fields={offer.mappingFields}
        pathOf={pathOf(product.name)}
        issues={issues}
        onChange={({ name }, path) =>
          onChange(
            (before) => withPath(before, [tenant.id, product.name, name], path),
            pointerTo("mappings", product.name, name),
          )
        }
      />
      {tenant.products.length > 1 && (
        <CopyToOthers {...{ draft, tenant, product, onChange }} fields={offer.mappingFields} />
      )}
    </>
  );
}
