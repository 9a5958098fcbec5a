import { recordAudit } from "../audit/record-audit";
import type { Platform } from "../platform/platform";
import { DEMO_CUSTOMERS } from "./customers";
import { moveTenant, selectOrganizationBySlug, selectTenant } from "./queries";

/** The demo's core listens where apps reach it, which changes when a container engine comes or goes. */
export async function moveDemoTenants(platform: Platform, coreUrl: string): Promise<void> {
  for (const { account, tenant: demo } of DEMO_CUSTOMERS) {
    const organizationId = await selectOrganizationBySlug(platform.db, account.slug);
    const tenant =
      organizationId === undefined
        ? undefined
        : await selectTenant(platform.db, organizationId, demo.hostName);
    const coreApiUrl = coreApiUrlOf(coreUrl, demo.hostName);
    if (tenant === undefined || tenant.coreApiUrl === coreApiUrl) continue;
    await platform.db.transaction(async (tx) => {
      if (!(await moveTenant(tx, tenant.id, tenant.coreApiUrl, coreApiUrl))) return;
      await recordAudit(tx, platform.keyring, {
        chain: tenant.organizationId,
        actor: "operator:launcher",
        action: "tenant.move",
        subject: `tenant:${tenant.id}`,
        details: { from: tenant.coreApiUrl, to: coreApiUrl },
      });
    });
  }
}

export function coreApiUrlOf(coreUrl: string, hostName: string): string {
  return `${coreUrl}/tenants/${hostName}`;
}
