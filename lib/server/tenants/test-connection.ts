import { v7 } from "uuid";
import type { ConnectionInput, ConnectionTest } from "@/lib/contract/core";
import type { Member } from "@/lib/domain/actor";
import { tryCore, type CoreTry } from "../core-client/try-core";
import type { Platform } from "../platform/platform";
import { updateUnchangedTenant, type WholeTenant } from "./queries";
import { openCredential } from "./seal-credential";
import { auditTenant, checkHostName, findTenant, normalizeCoreUrl, outdatedTenant } from "./tenant-rules";

/** Tests the connection in the form without storing anything. If the core fails, the result says so. */
export async function testConnection(
  platform: Platform,
  member: Member,
  input: ConnectionInput,
): Promise<ConnectionTest> {
  const coreApiUrl = normalizeCoreUrl(input.coreApiUrl);
  const credential = input.credential?.action === "set" ? input.credential.value : undefined;
  const { id: organizationId, slug: organization } = member.organization;
  const { hostName } = input;
  await checkHostName(platform.db, organizationId, hostName);
  const target = { id: v7(), organization, hostName, coreApiUrl, sandbox: false, credential };
  return (await tryCore(platform, target)).test;
}

/** Tests a tenant's connection and stores the result. Throws NOT_FOUND, WRONG_STATE. */
export async function testTenant(
  platform: Platform,
  member: Member,
  tenantId: string,
): Promise<ConnectionTest> {
  const { tenant, test } = await tryTenant(platform, member, tenantId);
  await saveTest(platform, member, tenant, test);
  return test;
}

/** Reads a tenant's core with its stored credential. Returns the tenant as it was before. Throws NOT_FOUND. */
export async function tryTenant(
  platform: Platform,
  member: Member,
  tenantId: string,
): Promise<CoreTry & { tenant: WholeTenant }> {
  const tenant = await findTenant(platform, member, tenantId);
  const { id: organizationId, slug: organization } = member.organization;
  const credential = await openCredential(platform, organizationId, tenant);
  return { tenant, ...(await tryCore(platform, { ...tenant, organization, credential })) };
}

/** Throws WRONG_STATE if the tenant was changed since it was read. */
export async function saveTest(
  platform: Platform,
  member: Member,
  read: WholeTenant,
  test: ConnectionTest,
): Promise<void> {
  await platform.db.transaction(async (tx) => {
    if (!(await updateUnchangedTenant(tx, member.organization.id, read, { connection: test })))
      throw outdatedTenant();
    const details = { ok: test.ok, step: test.steps.at(-1)?.step };
    await auditTenant(platform, tx, member, { action: "tenant.test-connection", tenantId: read.id, details });
  });
}
