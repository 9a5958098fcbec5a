"use client";

import { Label, Radio, RadioGroup } from "react-aria-components";
import type { LaunchTenant } from "./launch-draft";

interface TenantStepProps {
  tenants: LaunchTenant[];
  value: string | undefined;
  onChange: (tenantId: string) => void;
}

export function TenantStep({ tenants, value, onChange }: TenantStepProps) {
  return (
    <RadioGroup value={value ?? null} onChange={onChange} className="flex flex-col gap-2">
      <Label className="mb-1 text-[13px] font-medium text-ink">Tenant</Label>
      {tenants.map((tenant) => (
        <Radio
          key={tenant.id}
          value={tenant.id}
          className="group flex cursor-pointer items-start gap-3 rounded-field border border-line px-4 py-3 hover:bg-hover focus-visible:outline-2 focus-visible:outline-accent-text selected:border-accent-text selected:bg-accent-soft"
        >
          <span className="mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-full border border-line-strong bg-surface group-selected:border-[5px] group-selected:border-accent" />
          <span className="min-w-0">
            <span className="block font-medium text-ink">{tenant.name}</span>
            <span className="block font-mono text-xs break-all text-ink-soft">{tenant.hostName}</span>
            <span className="block text-xs text-ink-faint">{productsInWords(tenant)}</span>
          </span>
        </Radio>
      ))}
    </RadioGroup>
  );
}

function productsInWords({ products }: LaunchTenant): string {
  if (products.length === 0) return "No products";
  return products.map((product) => product.name).join(", ");
}
