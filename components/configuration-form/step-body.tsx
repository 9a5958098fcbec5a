"use client";

import { Notice } from "@/components/ui/notice";
import type { Issue } from "@/lib/contract/problem";
import {
  pathIn,
  pathKey,
  pointerTo,
  within,
  type LaunchDraft,
  type LaunchOffer,
  type LaunchTenant,
  type Step,
} from "./launch-draft";
import { PathField } from "./path-field";
import { ReviewStep } from "./review-step";
import { SettingField } from "./setting-field";
import { TenantStep } from "./tenant-step";

interface StepBodyProps {
  step: Step;
  offer: LaunchOffer;
  draft: LaunchDraft;
  tenant: LaunchTenant | undefined;
  issues: Issue[];
  /** `pointer`: the place of the answer that changed. */
  onChange: (draft: LaunchDraft, pointer: string) => void;
}

export function StepBody({ step, offer, draft, tenant, issues, onChange }: StepBodyProps) {
  if (step.id === "tenant") {
    const choose = (tenantId: string) => onChange({ ...draft, tenantId }, "/tenantId");
    return <TenantStep tenants={offer.tenants} value={draft.tenantId} onChange={choose} />;
  }
  if (step.id === "configure")
    return <SettingFields offer={offer} draft={draft} issues={issues} onChange={onChange} />;
  if (tenant === undefined) return null;
  if (!("product" in step)) return <ReviewStep offer={offer} draft={draft} tenant={tenant} />;
  const { product } = step;
  return (
    <>
      <p className="text-ink-soft">
        Say where {product.name} keeps what the app works on. The app gets these places with every call.
      </p>
      {product.paths.length === 0 && (
        <Notice>
          The core gave no schema for this product, so there is nothing to pick from. Type the paths.
        </Notice>
      )}
      {offer.mappingFields.map((field) => {
        const pointer = pointerTo("mappings", product.name, field.name);
        const change = (path: string) =>
          onChange(
            { ...draft, paths: new Map(draft.paths).set(pathKey(tenant.id, product.name, field.name), path) },
            pointer,
          );
        return (
          <PathField
            key={pointer}
            label={field.title}
            hint={field.hint}
            isRequired={field.required === true}
            paths={product.paths}
            value={pathIn(draft, tenant.id, product, field)}
            onChange={change}
            error={within(issues, pointer)[0]?.message}
          />
        );
      })}
    </>
  );
}

function SettingFields({
  offer,
  draft,
  issues,
  onChange,
}: Pick<StepBodyProps, "offer" | "draft" | "issues" | "onChange">) {
  return offer.settings.map((setting) => {
    const pointer = pointerTo("settings", setting.name);
    const change = (value: string | undefined) => {
      const settings = new Map(draft.settings);
      if (value === undefined) settings.delete(setting.name);
      else settings.set(setting.name, value);
      onChange({ ...draft, settings }, pointer);
    };
    return (
      <SettingField
        key={setting.name}
        setting={setting}
        value={draft.settings.get(setting.name)}
        onChange={change}
        error={within(issues, pointer)[0]?.message}
      />
    );
  });
}
