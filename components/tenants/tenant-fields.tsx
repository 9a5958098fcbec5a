"use client";

import type { Control } from "react-hook-form";
import { FormTextField } from "@/components/ui/form-fields";
import type { TenantFormValues } from "./tenant-form";

const FIELDS = [
  {
    name: "name",
    label: "Name",
    hint: "How your people call it, such as Production.",
    placeholder: "Production",
  },
  {
    name: "hostName",
    label: "Tenant host name",
    hint: "Apps get it with every call.",
    placeholder: "tenant.core.example",
  },
  { name: "coreApiUrl", label: "Core API address", placeholder: "https://api.core.example" },
] as const;

interface TenantFieldsProps {
  control: Control<TenantFormValues>;
  /** Where the core finds the keys that it checks tokens with. */
  keysAddress: string;
}

/** Name, host name and core API address: the same for a new tenant and for a saved one. */
export function TenantFields({ control, keysAddress }: TenantFieldsProps) {
  return FIELDS.map((each) => (
    <FormTextField
      key={each.name}
      control={control}
      name={each.name}
      isRequired
      label={each.label}
      placeholder={each.placeholder}
      mono={each.name !== "name"}
      type={each.name === "coreApiUrl" ? "url" : "text"}
      autoComplete="off"
      hint={"hint" in each ? each.hint : <CoreHint keysAddress={keysAddress} />}
    />
  ));
}

function CoreHint({ keysAddress }: { keysAddress: string }) {
  return (
    <>
      Products are read from <code className="font-mono text-xs">/products</code> below it, with a token that
      the core checks against <code className="font-mono text-xs break-all">{keysAddress}</code>: its{" "}
      <code className="font-mono text-xs">tenant</code> is the host name above,{" "}
      <code className="font-mono text-xs">org</code> your organization&apos;s slug.
    </>
  );
}
