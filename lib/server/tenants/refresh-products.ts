import type { ProductsRead } from "@/lib/contract/core";
import type { Member } from "@/lib/domain/actor";
import { recordAudit } from "../audit/record-audit";
import type { Platform } from "../platform/platform";
import { keepTest } from "./keep-test";
import { overtaken } from "./overtaken";
import { replaceProducts } from "./product-queries";
import { updateUnchangedTenant } from "./queries";
import { coreFailed } from "./read-core-products";
import { tryTenant } from "./try-tenant";

/**
 * Reads the tenant's products from its core again. When the core cannot be read, what was known stays: CORE_FAILED. When
 * the tenant was edited meanwhile, what its former core said is not kept: WRONG_STATE.
 */
export async function refreshProducts(
  platform: Platform,
  member: Member,
  tenantId: string,
): Promise<ProductsRead> {
  const organizationId = member.organization.id;
  const { tenant, listed, test } = await tryTenant(platform, member, tenantId);
  if (listed === undefined) {
    await keepTest(platform, member, tenant, test);
    throw coreFailed(test);
  }
  return platform.db.transaction(async (tx) => {
    if (!(await updateUnchangedTenant(tx, organizationId, tenant, { connection: test }))) throw overtaken();
    const read = await replaceProducts(tx, tenantId, listed);
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "tenant.refresh-products",
      subject: `tenant:${tenantId}`,
      details: { ...read },
    });
    return read;
  });
}
