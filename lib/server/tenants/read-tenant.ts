import { isId } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import type { TenantView } from "@/lib/contract/tenant-view";
import type { Member } from "@/lib/domain/actor";
import type { Platform } from "../platform/platform";
import { selectProducts, selectTenantInstallations, selectWholeTenant } from "./queries";

/** One of the organization's tenants, whole, without its secrets. Throws NOT_FOUND for any other. */
export async function readTenant(platform: Platform, member: Member, id: string): Promise<TenantView> {
  const { db } = platform;
  const organizationId = member.organization.id;
  const tenant = isId(id) ? await selectWholeTenant(db, organizationId, id) : undefined;
  if (tenant === undefined) throw new Problem("NOT_FOUND");
  const [products, installations] = await Promise.all([
    selectProducts(db, [id]),
    selectTenantInstallations(db, organizationId, id),
  ]);
  const { name, hostName, coreApiUrl, sandbox, credential, connection, createdAt } = tenant;
  return {
    id,
    name,
    hostName,
    coreApiUrl,
    sandbox,
    connectedAt: createdAt.toISOString(),
    credential:
      credential === null
        ? { configured: false }
        : { configured: true, updatedAt: credential.updatedAt, by: credential.by },
    connection,
    products: products.map((product) => ({
      name: product.name,
      refreshedAt: product.refreshedAt.toISOString(),
      changedAt: product.changedAt.toISOString(),
      schema: product.schema,
      sample: product.sample,
    })),
    installations,
  };
}
