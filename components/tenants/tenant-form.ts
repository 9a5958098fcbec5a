/** The values of the tenant forms, and what the forms send. */
import * as z from "zod";
import {
  credentialValue,
  tenantInput,
  type ConnectionInput,
  type CredentialAction,
  type TenantConnectInput,
} from "@/lib/contract/core";

const credentialForm = (isRequired: boolean) =>
  z
    .object({ action: z.enum(["keep", "set", "clear"]), value: z.string() })
    .superRefine(({ action, value }, context) => {
      if (action !== "set" || (value === "" && !isRequired)) return;
      const [issue] = credentialValue.safeParse(value).error?.issues ?? [];
      if (issue !== undefined) context.addIssue({ code: "custom", path: ["value"], message: issue.message });
    });

/** Without a stored credential: an empty field means none. */
export const connectForm = tenantInput.extend({ credential: credentialForm(false) });

/** With a stored credential: a replacement can't be empty. */
export const editForm = tenantInput.extend({ credential: credentialForm(true) });

export type TenantFormValues = z.infer<typeof editForm>;

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
