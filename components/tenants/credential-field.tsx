"use client";

import type { Control } from "react-hook-form";
import { FormPasswordField } from "@/components/ui/form-fields";
import { CORE_CREDENTIAL_HEADER } from "@/lib/contract/core";
import type { TenantFormValues } from "./tenant-form";

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
