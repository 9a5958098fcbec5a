"use client";

import { Fragment, type ReactNode } from "react";
import { Label, Radio, RadioGroup } from "react-aria-components";
import { Badge } from "@/components/ui/badge";
import { TextLink } from "@/components/ui/text-link";
import type { LaunchTenant } from "./launch-offer";

interface TenantStepProps {
  tenants: LaunchTenant[];
  value: string | undefined;
  onChange: (tenantId: string) => void;
  /** Below them. */
  children?: ReactNode;
}

export function TenantStep({ tenants, value, onChange, children }: TenantStepProps) {
  const installed = tenants.filter(({ installedAs }) => installedAs !== undefined).slice(0, NAMED);
  return (
    <>
      {tenants.length > 0 && (
        <RadioGroup
          value={value ?? null}
          onChange={onChange}
          isRequired
          data-pointer="/tenantId"
          className="flex flex-col gap-2"
        >
          <Label className="mb-1 text-[13px] font-medium text-ink">Which tenant is it for?</Label>
          {tenants.map((tenant) => (
            <Radio
              key={tenant.id}
              value={tenant.id}
              className="group flex cursor-pointer items-start gap-3 rounded-field border border-line px-4 py-3 hover:bg-hover focus-visible:outline-2 focus-visible:outline-accent-text selected:border-accent-text selected:bg-accent-soft"
            >
              <span className="mt-1 flex size-4 shrink-0 items-center justify-center rounded-full border border-line-strong bg-surface group-selected:border-[5px] group-selected:border-accent" />
              <span className="min-w-0 flex-1">
                <span className="flex flex-wrap items-center gap-x-2 font-medium wrap-anywhere text-ink">
                  {tenant.name}
                  {tenant.sandbox === true && <Badge tone="warning">Sandbox</Badge>}
                  {tenant.installedAs !== undefined && <Badge>Has it already</Badge>}
                </span>
                <span className="block font-mono text-xs break-all text-ink-soft">{tenant.hostName}</span>
                <span className="block text-xs wrap-anywhere text-ink-soft">{productsInWords(tenant)}</span>
              </span>
            </Radio>
          ))}
        </RadioGroup>
      )}
      {installed.length > 0 && (
        <p className="text-[13px] leading-5 text-ink-soft">
          A tenant has an app once. Open{" "}
          {installed.map(({ id, name, installedAs }, index) => (
            <Fragment key={id}>
              {index > 0 && ", "}
              <TextLink href={`/installations/${installedAs}`}>the installation for {name}</TextLink>
            </Fragment>
          ))}{" "}
          instead.
        </p>
      )}
      {children}
    </>
  );
}

const NAMED = 8;

function productsInWords({ products }: LaunchTenant): string {
  if (products.length === 0) return "No products";
  const names = products.slice(0, NAMED).map((product) => product.name);
  const rest = products.length - names.length;
  return rest > 0 ? `${names.join(", ")} and ${rest} more` : names.join(", ");
}
