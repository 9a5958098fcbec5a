import { createHash } from "node:crypto";
import { Problem } from "@/lib/contract/problem";
import type { Platform } from "../platform/platform";
import { selectTenantByCredential } from "./queries";

export interface CoreCaller {
  tenantId: string;
  organizationId: string;
}

/** The tenant whose core sent the request with `Authorization: Bearer <core credential>`. Throws WRONG_CREDENTIALS. */
export async function authenticateCore(
  platform: Platform,
  authorization: string | undefined,
): Promise<CoreCaller> {
  const credential = /^Bearer ([\w-]{20,200})$/i.exec(authorization ?? "")?.[1];
  const hash = createHash("sha256")
    .update(credential ?? "")
    .digest("hex");
  const tenant = credential === undefined ? undefined : await selectTenantByCredential(platform.db, hash);
  if (tenant === undefined) {
    throw new Problem(
      "WRONG_CREDENTIALS",
      "Send the tenant's core credential as 'Authorization: Bearer …'. It is shown once, when the tenant is connected.",
    );
  }
  return { tenantId: tenant.id, organizationId: tenant.organizationId };
}
