import { isId } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import type { Platform } from "../platform";
import { selectWholeTenant } from "./queries";
import { openCredential } from "./seal-credential";
import { tryCore } from "./try-core";

/** Reads the core of one of the member's tenants, with the credential that is stored. Throws NOT_FOUND for any other. */
export async function tryTenant(platform: Platform, member: Member, tenantId: string) {
  const organizationId = member.organization.id;
  const tenant = isId(tenantId) ? await selectWholeTenant(platform.db, organizationId, tenantId) : undefined;
  if (tenant === undefined) throw new Problem("NOT_FOUND");
  const credential = await openCredential(platform, organizationId, tenant);
  return tryCore(platform, { ...tenant, credential });
}
