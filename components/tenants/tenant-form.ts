/** What the tenant forms send. */
import type { ConnectionInput, CredentialAction, TenantConnectInput } from "@/lib/contract/core";
import type { TenantFormValues } from "./tenant-form-shapes";

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
