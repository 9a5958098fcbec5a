import { validate as isUuid } from "uuid";
import type { ProductsRead } from "@/lib/contract/core";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { recordAudit } from "../audit/record-audit";
import type { Platform } from "../platform";
import { keepTest } from "./keep-test";
import { replaceProducts } from "./product-queries";
import { selectWholeTenant, updateTenant } from "./queries";
import { coreFailed } from "./read-core-products";
import { openCredential } from "./seal-credential";
import { tryCore } from "./try-core";

/** Reads the tenant's products from its core again. When the core cannot be read, what was known stays: CORE_FAILED. */
export async function refreshProducts(
  platform: Platform,
  member: Member,
  tenantId: string,
): Promise<ProductsRead> {
  const organizationId = member.organization.id;
  const tenant = isUuid(tenantId)
    ? await selectWholeTenant(platform.db, organizationId, tenantId)
    : undefined;
  if (tenant === undefined) throw new Problem("NOT_FOUND");
  const credential = await openCredential(platform, organizationId, tenant);
  const { listed, test } = await tryCore(platform, { ...tenant, credential });
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
