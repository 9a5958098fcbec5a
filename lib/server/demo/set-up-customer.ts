import type { Member } from "@/lib/domain/actor";
import { launchInstallation } from "../installations/launch/launch-installation";
import type { Platform } from "../platform/platform";
import { launchedCoreUrl, moveTenants } from "../tenants/connect-sandbox";
import { connectTenant } from "../tenants/connect-tenant";
import { DEMO_CUSTOMERS, type DemoCustomer } from "./accounts";
import { DEMO_APPS } from "./apps";
import { hasInstallation, selectDemoTenant, selectListing } from "./queries";

export interface DemoCore {
  /** Origin of the demo's core, as apps and the platform reach it. */
  coreUrl: string;
  /** Stores in the demo's core the credential with which a tenant signs in to the gateway. */
  setUpTenant: (hostName: string, credential: string) => Promise<void>;
}

/** Connects the customer's tenant and launches every app with the customer's configuration. */
export async function setUpCustomer(
  platform: Platform,
  publisher: Member,
  member: Member,
  { account, tenant, configurations }: DemoCustomer,
  core: DemoCore,
): Promise<void> {
  const present = await selectDemoTenant(platform.db, account.slug, tenant.hostName);
  const tenantId = present?.id ?? (await connect(platform, member, tenant, core));
  for (const { appName } of DEMO_APPS) {
    const listing = await selectListing(platform.db, publisher.organization.id, appName);
    const configuration = configurations[appName];
    if (listing === undefined || listing.versionId === null || configuration === undefined) continue;
    if (await hasInstallation(platform.db, tenantId, listing.id)) continue;
    const { versionId } = listing;
    const launch = { versionId, tenantId, test: false, openEndpoints: true, ...configuration };
    await launchInstallation(platform, member, launch);
  }
}

async function connect(
  platform: Platform,
  member: Member,
  tenant: DemoCustomer["tenant"],
  core: DemoCore,
): Promise<string> {
  const coreApiUrl = launchedCoreUrl(core.coreUrl, tenant.hostName);
  const { tenantId, coreCredential } = await connectTenant(platform, member, { ...tenant, coreApiUrl });
  await core.setUpTenant(tenant.hostName, coreCredential);
  return tenantId;
}

/** Updates the demo's tenants to the current address of the demo's core. */
export async function moveDemoTenants(platform: Platform, coreUrl: string): Promise<void> {
  const tenants = await Promise.all(
    DEMO_CUSTOMERS.map(({ account, tenant }) => selectDemoTenant(platform.db, account.slug, tenant.hostName)),
  );
  await moveTenants(
    platform,
    tenants.filter((tenant) => tenant !== undefined),
    coreUrl,
  );
}
