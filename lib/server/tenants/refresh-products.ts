import type { ProductsRead } from "@/lib/contract/core";
import type { Member } from "@/lib/domain/actor";
import { coreFailed } from "../core-client/try-core";
import type { Platform } from "../platform/platform";
import { replaceProducts } from "./product-queries";
import { updateUnchangedTenant } from "./queries";
import { auditTenant, outdatedTenant } from "./tenant-rules";
import { saveTest, tryTenant } from "./test-connection";

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
