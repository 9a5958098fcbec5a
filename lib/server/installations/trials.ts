/**
 * Trials: anyone in an organization runs a public app for a made-up insurer, without a tenant. A trial is a Test Launch in a tenant of
 * its own, which ends with it. docs/decisions/053-trials.md says why.
 */
import { v7 } from "uuid";
import type { TrialInput } from "@/lib/contract/catalog/configuration";
import { Problem } from "@/lib/contract/platform/problem";
import { splitAppName } from "@/lib/contract/platform/text-shapes";
import { stateAfter } from "@/lib/domain/calls/installation";
import { askedBy, mergeAnswers } from "@/lib/domain/catalog/configuration";
import { inventMappings } from "@/lib/domain/catalog/mapping/suggest-paths";
import { refuseTrial, TRIAL_HOURS } from "@/lib/domain/installations/trial";
import type { Member } from "@/lib/domain/platform/actor";
import { countTry } from "../accounts/count-tries";
import { judgeLaunch } from "../catalog/judge-launch";
import { hashToken } from "../catalog/visibility";
import type { Db } from "../platform/database/connect";
import { notifyWorker } from "../platform/database/work-channel";
import type { Platform } from "../platform/platform";
import { recordAudit } from "../platform/record-audit";
import { requireVersion, storeLaunch } from "./launch-installation";
import { describeOffer } from "./read-launch";
import { selectNewestVersion } from "./launch-queries";
import { moveInstallation } from "./queries";
import {
  chooseTenantName,
  launchedCoreUrl,
  putSandbox,
  removeSandbox,
  SANDBOX_CONTENT,
} from "./tenants/connect-sandbox";
import { replaceProducts } from "./tenants/product-queries";
import { disconnectTenantRow, insertTenant, selectProducts, selectTenantNames } from "./tenants/queries";
import {
  countOpenTrials,
  lockTrials,
  selectLeftTenants,
  selectOpenTrials,
  selectOverdueTrials,
} from "./trial-queries";

const TENANT_NAME = "Made-up insurer";

/** What the launch page asks for a trial. Throws NOT_FOUND for an app that not everyone can launch. */
export async function readTrial(
  platform: Platform,
  member: Member,
  app: { organization: string; app: string },
  askedLink?: string,
) {
  const known = splitAppName(`${app.organization}/${app.app}`) !== undefined;
  const version = known ? await selectNewestVersion(platform.db, app, true) : undefined;
  if (version === undefined) throw new Problem("NOT_FOUND");
  const asked = { test: false, link: askedLink };
  const { refusal, link } = await judgeLaunch(platform.db, member, version, asked);
  if (refusal !== undefined) throw new Problem("NOT_FOUND");
  const { products } = SANDBOX_CONTENT;
  return {
    ...(await describeOffer(platform, version)),
    link,
    trialLimit: await readTrialLimit(platform.db, member),
    // The platform fills in the mappings, and no app checks settings before its trial: there is no tenant yet.
    mappingFields: [],
    checksConfiguration: false,
    publicEndpoints: [],
    versions: [],
    hasSandbox: false,
    tenants: [{ id: "trial", name: TENANT_NAME, hostName: "trial.sandbox", sandbox: true, products }],
  };
}

/** Why the member can't start another trial now, and the trials to end. It is said before the form is filled in. */
async function readTrialLimit(db: Db, { userId, organization }: Member) {
  const detail = refuseTrial(await countOpenTrials(db, userId));
  if (detail === undefined) return undefined;
  const trials = await selectOpenTrials(db, userId);
  return {
    detail,
    trials: trials.map(({ organizationId, organizationName, ...trial }) =>
      organizationId === organization.id ? trial : { ...trial, organizationName },
    ),
  };
}

/**
 * Starts a trial for a day. Throws NOT_FOUND for an app that was suspended or retired meanwhile, NOT_ALLOWED, BAD_INPUT, WRONG_STATE at the limit
 * of open trials, and TOO_MANY_REQUESTS.
 */
export async function startTrial(
  platform: Platform,
  member: Member,
  input: TrialInput,
): Promise<{ installationId: string }> {
  const counted = await countTry(platform, [["trial-person", member.userId], ["trial-all"]]);
  const tenantId = v7();
  const hostName = `trial-${tenantId.slice(-12)}.sandbox`;
  let isOpen = false;
  try {
    // Before the core is asked for a tenant, and again with locks.
    await prepareTrial(platform.db, member, input);
    const coreApiUrl = await openCore(platform, hostName, member.organization.slug);
    isOpen = true;
    return await platform.db.transaction(async (tx) => {
      await lockTrials(tx);
      const { version, merged } = await prepareTrial(tx, member, input);
      const name = chooseTenantName(await selectTenantNames(tx, member.organization.id), TENANT_NAME);
      await insertTenant(tx, {
        id: tenantId,
        organizationId: member.organization.id,
        name,
        hostName,
        coreApiUrl,
        sandbox: true,
        trialBy: member.userId,
        trialEndsAt: new Date(Date.now() + TRIAL_HOURS * 3_600_000),
        trialLinkHash: input.link === undefined ? null : hashToken(input.link),
      });
      await replaceProducts(tx, tenantId, SANDBOX_CONTENT.products);
      const tenant = { id: tenantId, name };
      const products = await selectProducts(tx, [tenantId]);
      // Its public endpoints stay closed: strangers would reach an app through somebody's trial.
      const launch = { version, tenant, products, merged, test: true, openEndpoints: false };
      return storeLaunch(platform, tx, member, launch);
    });
  } catch (error) {
    // Only trials that started count.
    await counted.giveBack();
    if (isOpen) await closeCore(platform, hostName);
    throw error;
  }
}

async function prepareTrial(db: Db, member: Member, { versionId, settings, link }: TrialInput) {
  const refusal = refuseTrial(await countOpenTrials(db, member.userId));
  if (refusal !== undefined) throw new Problem("WRONG_STATE", refusal);
  const version = await requireVersion(db, member, { versionId, test: false, link });
  const { products } = SANDBOX_CONTENT;
  const asked = askedBy(version.manifest);
  const mappings = inventMappings(asked.mappingFields, products, "sample");
  const answers = {
    settings,
    mappings: Object.fromEntries(mappings.map(({ productName, fields }) => [productName, fields])),
  };
  const productNames = products.map(({ name }) => name);
  const merged = mergeAnswers(asked, { kept: new Map(), mappings: [], productNames }, answers);
  if (merged.issues.length > 0)
    throw new Problem("BAD_INPUT", "The settings are incomplete. Fix the marked fields.", merged.issues);
  return { version, merged };
}

/** The tenant on the platform's own core, if there is one: the app may call it with its token. */
async function openCore({ environment }: Platform, hostName: string, organization: string): Promise<string> {
  const platformCore = environment.PLATFORM_SANDBOX_CORE_URL;
  if (platformCore === "") return `https://${hostName}`;
  await putSandbox(platformCore, hostName, { ...SANDBOX_CONTENT, organization });
  return launchedCoreUrl(platformCore, hostName);
}

/** What a core that is away keeps is made up, and no token is signed for the tenant anymore. */
async function closeCore({ environment, log }: Platform, hostName: string): Promise<void> {
  const platformCore = environment.PLATFORM_SANDBOX_CORE_URL;
  if (platformCore === "") return;
  await removeSandbox(platformCore, hostName).catch((error: unknown) => {
    log.warn({ err: error, hostName }, "the core kept the made-up data of a trial");
  });
}

/** Of one round. The next comes within a minute. */
const LIMIT = 100;

/**
 * Uninstalls the apps of trials whose time is over, or whose app is no longer public, and removes the tenants of those that are
 * uninstalled.
 */
export async function endTrials(platform: Platform): Promise<void> {
  for (const trial of await selectOverdueTrials(platform.db, LIMIT)) await endTrial(platform, trial);
  for (const tenant of await selectLeftTenants(platform.db, LIMIT)) await removeTenant(platform, tenant);
}

type OverdueTrial = Awaited<ReturnType<typeof selectOverdueTrials>>[number];

async function endTrial(
  platform: Platform,
  { id, organizationId, state: from, expired }: OverdueTrial,
): Promise<void> {
  const to = stateAfter(from, "uninstall");
  if (to === undefined) return;
  await platform.db.transaction(async (tx) => {
    if (!(await moveInstallation(tx, { id, organizationId, from, to }))) return;
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: "worker",
      action: "installation.uninstall",
      subject: `installation:${id}`,
      details: { from, to, trial: expired ? "over" : "app no longer public" },
    });
    await notifyWorker(tx);
  });
}

async function removeTenant(
  platform: Platform,
  { id, organizationId, hostName }: Awaited<ReturnType<typeof selectLeftTenants>>[number],
): Promise<void> {
  await platform.db.transaction(async (tx) => {
    if (!(await disconnectTenantRow(tx, organizationId, id))) return;
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: "worker",
      action: "tenant.disconnect",
      subject: `tenant:${id}`,
      details: { hostName },
    });
  });
  await closeCore(platform, hostName);
}
