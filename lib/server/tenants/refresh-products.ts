import { validate as isUuid } from "uuid";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { recordAudit } from "../audit/record-audit";
import type { Platform } from "../platform";
import { replaceProducts, selectTenant } from "./queries";
import { readCoreProducts } from "./read-core-products";

/** Reads the tenant's products from its core again. When the core cannot be read, what was known stays. */
export async function refreshProducts(
  platform: Platform,
  member: Member,
  tenantId: string,
): Promise<{ products: string[] }> {
  const organizationId = member.organization.id;
  const tenant = isUuid(tenantId) ? await selectTenant(platform.db, organizationId, tenantId) : undefined;
  if (tenant === undefined) throw new Problem("NOT_FOUND");
  const listed = await readCoreProducts(platform, tenant);
  const names = listed.map((product) => product.name);
  await platform.db.transaction(async (tx) => {
    await replaceProducts(tx, tenantId, listed);
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "tenant.refresh-products",
      subject: `tenant:${tenantId}`,
      details: { products: names },
    });
  });
  return { products: names };
}
