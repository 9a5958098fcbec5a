/** The values of the tenant forms. Loaded when a form is first checked. */
import * as z from "zod";
import { credentialValue, tenantInput } from "@/lib/contract/platform/core";

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
