import type { ProductsRead } from "@/lib/contract/core";
import type { Member } from "@/lib/domain/actor";
import { recordAudit } from "../audit/record-audit";
import type { Platform } from "../platform";
import { keepTest } from "./keep-test";
import { replaceProducts } from "./product-queries";
import { updateTenant } from "./queries";
import { coreFailed } from "./read-core-products";
import { tryTenant } from "./try-tenant";

/** Reads the tenant's products from its core again. When the core cannot be read, what was known stays: CORE_FAILED. */
export async function refreshProducts(
  platform: Platform,
  member: Member,
  tenantId: string,
): Promise<ProductsRead> {
  const organizationId = member.organization.id;
  const { listed, test } = await tryTenant(platform, member, tenantId);
  if (listed === undefined) {
    await keepTest(platform, member, tenantId, test);
    throw coreFailed(test);
  }
  return platform.db.transaction(async (tx) => {
    const read = await replaceProducts(tx, tenantId, listed);
    await updateTenant(tx, organizationId, tenantId, { connection: test });
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
