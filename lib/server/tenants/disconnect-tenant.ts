import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import type { Platform } from "../platform/platform";
import { disconnectTenantRow } from "./queries";
import { auditTenant, findTenant } from "./tenant-rules";

/**
 * Disconnects a tenant: its core's credential stops working at once, its own credential and its products are removed, and its
 * name and host name are free again. Throws NOT_FOUND, or WRONG_STATE while an app is installed for it.
 */
export async function disconnectTenant(platform: Platform, member: Member, tenantId: string): Promise<void> {
  const { name, hostName, coreApiUrl } = await findTenant(platform, member, tenantId);
  await platform.db.transaction(async (tx) => {
    if (!(await disconnectTenantRow(tx, member.organization.id, tenantId)))
      throw new Problem(
        "WRONG_STATE",
        `Apps are still installed for '${name}'. Uninstall them first; the tenant's page lists them.`,
      );
    const details = { name, hostName, coreApiUrl };
    await auditTenant(platform, tx, member, { action: "tenant.disconnect", tenantId, details });
  });
}
