"use client";

import type { Control } from "react-hook-form";
import { FormPasswordField, FormTextField } from "@/components/ui/form-fields";
import type { TenantFormValues } from "./tenant-form";
import { CORE_CREDENTIAL_HEADER } from "@/lib/contract/core";

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

interface CredentialFieldProps {
  control: Control<TenantFormValues>;
  label: string;
  isRequired?: boolean;
  /** Of the choice around it, where the refusal is not about what is typed. */
  error?: string;
}

/** What the core asks for beside the token. Hidden; the eye shows only what is being typed here. */
export function CredentialField({ control, label, isRequired, error }: CredentialFieldProps) {
  return (
    <FormPasswordField
      control={control}
      name="credential.value"
      label={label}
      isRequired={isRequired}
      autoComplete="off"
      hint={
        <>
          Only if the core asks for an API key beside the token: sent to it as{" "}
          <code className="font-mono text-xs">{CORE_CREDENTIAL_HEADER}</code>, encrypted here, and never shown
          again.
        </>
      }
      error={error}
    />
  );
}
