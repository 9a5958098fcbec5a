"use client";

import type { Control } from "react-hook-form";
import { FormSecretField, FormTextField } from "@/components/ui/forms/form-fields";
import type { ConnectionInput, CredentialAction, TenantConnectInput } from "@/lib/contract/platform/core";
import { CORE_CREDENTIAL_HEADER } from "@/lib/contract/platform/headers";
import type { TenantFormValues } from "./tenant-form-shapes";

const FIELDS = [
  {
    name: "name",
    label: "Name",
    hint: "What your team calls it, such as Production.",
    placeholder: "Production",
  },
  {
    name: "hostName",
    label: "Tenant host name",
    hint: "Sent to apps with every call.",
    placeholder: "tenant.core.example",
  },
  { name: "coreApiUrl", label: "Core API address", placeholder: "https://api.core.example" },
] as const;

interface TenantFieldsProps {
  control: Control<TenantFormValues>;
  /** Where the core gets the keys to verify tokens. */
  keysAddress: string;
}

/** Name, host name, and core API address, for new and for saved tenants. */
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
      Products are read from{" "}
      <code translate="no" className="font-mono text-xs">
        /products
      </code>{" "}
      at this address, with a token that the core verifies with the keys at{" "}
      <code translate="no" className="font-mono text-xs wrap-anywhere">
        {keysAddress}
      </code>
      . The token&apos;s{" "}
      <code translate="no" className="font-mono text-xs">
        tenant
      </code>{" "}
      is the host name above, and its{" "}
      <code translate="no" className="font-mono text-xs">
        org
      </code>{" "}
      is your organization&apos;s slug.
    </>
  );
}

interface CredentialFieldProps {
  control: Control<TenantFormValues>;
  label: string;
  isRequired?: boolean;
  /** A problem with the choice around it, not with the typed value. */
  error?: string;
}

/** What the core requires in addition to the token. The eye shows only what was typed here. */
export function CredentialField({ control, label, isRequired, error }: CredentialFieldProps) {
  return (
    <FormSecretField
      control={control}
      name="credential.value"
      label={label}
      isRequired={isRequired}
      hint={
        <>
          Only if the core requires an API key in addition to the token. Sent as{" "}
          <code translate="no" className="font-mono text-xs">
            {CORE_CREDENTIAL_HEADER}
          </code>
          , stored encrypted, and never shown again.
        </>
      }
      error={error}
    />
  );
}

// What the tenant forms send.

export function toConnectInput(values: TenantFormValues): TenantConnectInput {
  return { ...values, credential: toAction(values.credential) };
}

/** The part that a connection test needs. */
export function toConnectionInput({ hostName, coreApiUrl, credential }: TenantFormValues): ConnectionInput {
  return { hostName, coreApiUrl, credential: toAction(credential) };
}

/** An empty field with nothing stored changes nothing. */
function toAction({ action, value }: TenantFormValues["credential"]): CredentialAction {
  if (action === "set") return value === "" ? { action: "clear" } : { action, value };
  return { action };
}

/** A stored credential is never sent to another host, so the form asks for it again. */
export function isOtherHost(before: string, typed: string): boolean {
  return URL.canParse(typed) && URL.canParse(before) && new URL(typed).origin !== new URL(before).origin;
}
