import { setTimeout as sleep } from "node:timers/promises";
import type { Member } from "@/lib/domain/platform/actor";
import { countOrganizations } from "@/lib/server/accounts/account-queries";
import { signOut } from "@/lib/server/accounts/sessions";
import { launchInstallation } from "@/lib/server/installations/launch-installation";
import { launchedCoreUrl, moveTenants } from "@/lib/server/installations/tenants/connect-sandbox";
import { connectTenant } from "@/lib/server/installations/tenants/connect-tenant";
import type { Platform } from "@/lib/server/platform/platform";
import { DEMO_CUSTOMERS, type DemoCustomer, PUBLISHER } from "./accounts";
import { DEMO_APPS } from "./apps";
import { type AppSource, offerApp } from "./offer-apps";
import { countLaunching, hasInstallation, selectDemoTenant, selectListing } from "./queries";
import { signInMember, signInModerator } from "./sign-in";

interface DemoEnvironment extends AppSource, DemoCore {
  /** Milliseconds to wait for the workers to launch everything. */
  launchMs: number;
}

/** True if nobody has signed up on this database yet. */
export async function isUnused(platform: Platform): Promise<boolean> {
  return (await countOrganizations(platform.db)) === 0;
}

/**
 * Sets up the demo through the functions that serve users' requests. Each step first checks whether it is done, so that
 * the next start continues where an earlier one was interrupted.
 */
export async function seedDemo(platform: Platform, environment: DemoEnvironment): Promise<void> {
  const publisher = await signInMember(platform, PUBLISHER);
  const moderator = await signInModerator(platform);
  for (const app of DEMO_APPS) {
    environment.report(`Setting up the demo: ${app.title}…`);
    await offerApp(platform, publisher, moderator, app, environment);
  }
  const customers = [];
  for (const customer of DEMO_CUSTOMERS) {
    environment.report(`Setting up the demo: ${customer.account.name}…`);
    const member = await signInMember(platform, customer.account);
    await setUpCustomer(platform, publisher, member, customer, environment);
    customers.push(member);
  }
  await waitForLaunches(platform, environment.launchMs);
  for (const { sessionId } of [publisher, moderator, ...customers]) await signOut(platform, sessionId);
}

/** So that visitors find everything running. An installation that is not running by then says so on its page. */
async function waitForLaunches(platform: Platform, timeoutMs: number): Promise<void> {
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await sleep(100)) {
    if ((await countLaunching(platform.db)) === 0) return;
  }
}

interface DemoCore {
  /** Origin of the demo's core, as apps and the platform reach it. */
  coreUrl: string;
  /** Stores in the demo's core the credential with which a tenant signs in to the gateway. */
  setUpTenant: (hostName: string, credential: string) => Promise<void>;
}

/** Connects the customer's tenant and launches every app with the customer's configuration. */
async function setUpCustomer(
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
