import { v7 } from "uuid";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { recordAudit } from "../audit/record-audit";
import type { Platform } from "../platform/platform";
import { newCoreCredential } from "./new-core-credential";
import { replaceProducts } from "./product-queries";
import { insertTenant } from "./queries";
import { readCoreProducts } from "./read-core-products";
import { refuseTaken } from "./refuse-taken";
import { putSandbox, SANDBOX_CONTENT } from "./sandbox-core";
import { lockSandbox, selectSandbox, selectTenantNames } from "./sandbox-queries";

/**
 * The organization's sandbox tenant on the platform's own core, made if there is none: for Test Launches alone.
 * Throws UNAVAILABLE where the platform has no such core.
 */
export async function connectSandbox(platform: Platform, member: Member): Promise<{ tenantId: string }> {
  const organizationId = member.organization.id;
  const present = await selectSandbox(platform.db, organizationId);
  if (present !== undefined) return { tenantId: present };
  const ownCore = platform.environment.PLATFORM_SANDBOX_CORE_URL;
  if (ownCore === "") {
    throw new Problem(
      "UNAVAILABLE",
      "This platform has no sandbox: PLATFORM_SANDBOX_CORE_URL is not set. Connect a test tenant of your own core instead.",
    );
  }
  const tenantId = v7();
  const organization = member.organization.slug;
  const hostName = `${organization}.sandbox`;
  const coreApiUrl = `${ownCore}/tenants/${hostName}`;
  await putSandbox(ownCore, hostName, { ...SANDBOX_CONTENT, organization });
  const target = { id: tenantId, organization, hostName, coreApiUrl, sandbox: true, credential: undefined };
  const { listed, test } = await readCoreProducts(platform, target);
  const { coreCredential, coreCredentialHash } = newCoreCredential();
  return platform.db.transaction(async (tx) => {
    await lockSandbox(tx, organizationId);
    const first = await selectSandbox(tx, organizationId);
    if (first !== undefined) return { tenantId: first };
    const name = freeName(await selectTenantNames(tx, organizationId));
    const row = { id: tenantId, organizationId, name, hostName, coreApiUrl, coreCredentialHash };
    await insertTenant(tx, { ...row, sandbox: true, connection: test }).catch(refuseTaken(name));
    await replaceProducts(tx, tenantId, listed);
    // Only the call that stores the sandbox tells the core its credential, so that the two always agree.
    await putSandbox(ownCore, hostName, { credential: coreCredential });
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "tenant.connect-sandbox",
      subject: `tenant:${tenantId}`,
      details: { name, hostName, coreApiUrl, products: test.products },
    });
    return { tenantId };
  });
}

/** "Sandbox", unless the organization calls another tenant so. */
function freeName(taken: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? "Sandbox" : `Sandbox ${number}`;
    if (!taken.includes(name)) return name;
  }
}
