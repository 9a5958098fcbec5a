import { v7 } from "uuid";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { recordAudit } from "../audit/record-audit";
import { readCoreProducts } from "../core-client/try-core";
import { insertCredential } from "../identity/core-credential-queries";
import type { Platform } from "../platform/platform";
import { replaceProducts } from "./product-queries";
import {
  insertTenant,
  lockSandbox,
  moveTenant,
  selectSandbox,
  selectSandboxes,
  selectTenantNames,
} from "./queries";
import { createCoreCredential } from "./rotate-core-credential";
import { putSandbox, SANDBOX_CONTENT } from "./sandbox-core";
import { auditTenant, refuseTaken } from "./tenant-rules";

/**
 * The organization's sandbox tenant on the platform's own core, created if there is none. It accepts Test Launches only.
 * Throws UNAVAILABLE if the platform has no such core.
 */
export async function connectSandbox(platform: Platform, member: Member): Promise<{ tenantId: string }> {
  const { id: organizationId, slug: organization } = member.organization;
  const present = await selectSandbox(platform.db, organizationId);
  if (present !== undefined) return { tenantId: present };
  const platformCore = platform.environment.PLATFORM_SANDBOX_CORE_URL;
  if (platformCore === "") {
    throw new Problem(
      "UNAVAILABLE",
      "This platform has no sandbox because PLATFORM_SANDBOX_CORE_URL is not set. Connect a test tenant of your own core instead.",
    );
  }
  const tenantId = v7();
  const hostName = `${organization}.sandbox`;
  const coreApiUrl = launchedCoreUrl(platformCore, hostName);
  await putSandbox(platformCore, hostName, { ...SANDBOX_CONTENT, organization });
  const target = { id: tenantId, organization, hostName, coreApiUrl, sandbox: true, credential: undefined };
  const { listed, test } = await readCoreProducts(platform, target);
  const { coreCredential, coreCredentialHash } = createCoreCredential();
  return platform.db.transaction(async (tx) => {
    await lockSandbox(tx, organizationId);
    const first = await selectSandbox(tx, organizationId);
    if (first !== undefined) return { tenantId: first };
    const name = chooseName(await selectTenantNames(tx, organizationId));
    const row = { id: tenantId, organizationId, name, hostName, coreApiUrl };
    await insertTenant(tx, { ...row, sandbox: true, connection: test }).catch(refuseTaken(row));
    await insertCredential(tx, tenantId, coreCredentialHash);
    await replaceProducts(tx, tenantId, listed);
    // Only the request that stores the sandbox sends the credential to the core, so that the two always agree.
    await putSandbox(platformCore, hostName, { credential: coreCredential });
    const details = { name, hostName, coreApiUrl, products: test.products };
    await auditTenant(platform, tx, member, { action: "tenant.connect-sandbox", tenantId, details });
    return { tenantId };
  });
}

/** "Sandbox", or the first free "Sandbox 2", "Sandbox 3", … */
function chooseName(taken: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? "Sandbox" : `Sandbox ${number}`;
    if (!taken.includes(name)) return name;
  }
}

/** Updates every sandbox to the current address of the platform's own core. */
export async function moveSandboxes(platform: Platform, platformCore: string): Promise<void> {
  await moveTenants(platform, await selectSandboxes(platform.db), platformCore);
}

/** For tenants of a core that the launcher runs: its address changes when a container engine appears or disappears. */
export async function moveTenants(
  platform: Platform,
  tenants: readonly { id: string; organizationId: string; hostName: string; coreApiUrl: string }[],
  coreUrl: string,
): Promise<void> {
  for (const { id, organizationId, hostName, coreApiUrl: from } of tenants) {
    const to = launchedCoreUrl(coreUrl, hostName);
    if (to === from) continue;
    await platform.db.transaction(async (tx) => {
      if (!(await moveTenant(tx, id, from, to))) return;
      await recordAudit(tx, platform.keyring, {
        chain: organizationId,
        actor: "operator:launcher",
        action: "tenant.move",
        subject: `tenant:${id}`,
        details: { from, to },
      });
    });
  }
}

/** The address of one tenant on a core that the launcher runs. */
export function launchedCoreUrl(coreUrl: string, hostName: string): string {
  return `${coreUrl}/tenants/${hostName}`;
}
