import { isId } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import type { Platform } from "../platform/platform";
import { selectWholeTenant, type WholeTenant } from "./queries";
import { openCredential } from "./seal-credential";
import { tryCore, type CoreTry } from "./try-core";

/**
 * Reads the core of one of the member's tenants, with the credential that is stored, and tells with it which tenant that
 * was when it was read. Throws NOT_FOUND for any other.
 */
export async function tryTenant(
  platform: Platform,
  member: Member,
  tenantId: string,
): Promise<CoreTry & { tenant: WholeTenant }> {
  const organizationId = member.organization.id;
  const tenant = isId(tenantId) ? await selectWholeTenant(platform.db, organizationId, tenantId) : undefined;
  if (tenant === undefined) throw new Problem("NOT_FOUND");
  const credential = await openCredential(platform, organizationId, tenant);
  const organization = member.organization.slug;
  return { tenant, ...(await tryCore(platform, { ...tenant, organization, credential })) };
}
