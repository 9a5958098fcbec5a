/** What the forms of a tenant hold, and what they send. */
import { z } from "zod";
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

/** Where no credential is configured: an empty one is none. */
export const connectForm = tenantInput.extend({ credential: credentialForm(false) });

/** Where one is configured it is said what shall become of it: a new one is not empty. */
export const editForm = tenantInput.extend({ credential: credentialForm(true) });

export type TenantFormValues = z.infer<typeof editForm>;

export function connectInputOf(values: TenantFormValues): TenantConnectInput {
  return { ...values, credential: actionOf(values.credential) };
}

/** What a test of the connection needs of it. */
export function connectionInputOf({ hostName, coreApiUrl, credential }: TenantFormValues): ConnectionInput {
  return { hostName, coreApiUrl, credential: actionOf(credential) };
}

/** Nothing typed where nothing is stored: as it is. */
function actionOf({ action, value }: TenantFormValues["credential"]): CredentialAction {
  if (action === "set") return value === "" ? { action: "clear" } : { action, value };
  return { action };
}

/** A stored credential is not sent to another host: there it is asked for again. */
export function isOtherHost(before: string, typed: string): boolean {
  return URL.canParse(typed) && URL.canParse(before) && new URL(typed).origin !== new URL(before).origin;
}
