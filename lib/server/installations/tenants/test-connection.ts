import { v7 } from "uuid";
import type { ConnectionInput, ConnectionTest, ProductsRead } from "@/lib/contract/platform/core";
import type { Member } from "@/lib/domain/platform/actor";
import type { Platform } from "../../platform/platform";
import { coreFailed, type CoreTry, tryCore } from "../../platform/requests/try-core";
import { addAppsProblem } from "./apps-problem";
import { openCredential } from "./credentials";
import { replaceProducts } from "./product-queries";
import { updateUnchangedTenant, type WholeTenant } from "./queries";
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
  return addAppsProblem(platform, coreApiUrl, (await tryCore(platform, target)).test);
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
async function tryTenant(
  platform: Platform,
  member: Member,
  tenantId: string,
): Promise<CoreTry & { tenant: WholeTenant }> {
  const tenant = await findTenant(platform, member, tenantId);
  const { id: organizationId, slug: organization } = member.organization;
  const credential = await openCredential(platform, organizationId, tenant);
  const { listed, test } = await tryCore(platform, { ...tenant, organization, credential });
  return { tenant, listed, test: await addAppsProblem(platform, tenant.coreApiUrl, test) };
}

/** Throws WRONG_STATE if the tenant was changed since it was read. */
async function saveTest(
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

/**
 * Reads the tenant's products from its core again. Throws CORE_FAILED if the core cannot be read, WRONG_STATE if the
 * tenant was edited meanwhile; the stored products remain.
 */
export async function refreshProducts(
  platform: Platform,
  member: Member,
  tenantId: string,
): Promise<ProductsRead> {
  const { tenant, listed, test } = await tryTenant(platform, member, tenantId);
  if (listed === undefined) {
    await saveTest(platform, member, tenant, test);
    throw coreFailed(test);
  }
  return platform.db.transaction(async (tx) => {
    if (!(await updateUnchangedTenant(tx, member.organization.id, tenant, { connection: test })))
      throw outdatedTenant();
    const read = await replaceProducts(tx, tenantId, listed);
    await auditTenant(platform, tx, member, {
      action: "tenant.refresh-products",
      tenantId,
      details: { ...read },
    });
    return read;
  });
}
