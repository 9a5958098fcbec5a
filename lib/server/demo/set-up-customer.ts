import type { Member } from "@/lib/domain/actor";
import { launchInstallation } from "../installations/launch-installation";
import type { Platform } from "../platform/platform";
import { connectTenant } from "../tenants/connect-tenant";
import { DEMO_APPS } from "./apps";
import type { DemoCustomer } from "./customers";
import { coreApiUrlOf } from "./move-demo-tenants";
import { hasInstallation, selectListing, selectTenant } from "./queries";
import type { DemoSurroundings } from "./surroundings";

/** Connects the customer's tenant and launches every app with the customer's own configuration. */
export async function setUpCustomer(
  platform: Platform,
  publisher: Member,
  member: Member,
  customer: DemoCustomer,
  around: DemoSurroundings,
): Promise<void> {
  const tenantId = await tenantOf(platform, member, customer, around);
  for (const { appName } of DEMO_APPS) {
    const listing = await selectListing(platform.db, publisher.organization.id, appName);
    const configuration = customer.configurations[appName];
    if (listing === undefined || listing.versionId === null || configuration === undefined) continue;
    if (await hasInstallation(platform.db, tenantId, listing.id)) continue;
    await launchInstallation(platform, member, {
      versionId: listing.versionId,
      tenantId,
      test: false,
      ...configuration,
    });
  }
}

async function tenantOf(
  platform: Platform,
  member: Member,
  { tenant }: DemoCustomer,
  around: DemoSurroundings,
): Promise<string> {
  const present = await selectTenant(platform.db, member.organization.id, tenant.hostName);
  if (present !== undefined) return present.id;
  const coreApiUrl = coreApiUrlOf(around.coreUrl, tenant.hostName);
  const { tenantId, coreCredential } = await connectTenant(platform, member, { ...tenant, coreApiUrl });
  await around.setUpTenant(tenant.hostName, coreCredential);
  return tenantId;
}
