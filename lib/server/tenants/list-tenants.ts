import type { Member } from "@/lib/domain/actor";
import type { Platform } from "../platform";
import { selectProductNames, selectTenants } from "./queries";

/** The member's tenants by name, the sandbox last, each with the names of its products in the order of the state record. */
export async function listTenants(platform: Platform, member: Member) {
  const organizationId = member.organization.id;
  const [tenants, products] = await Promise.all([
    selectTenants(platform.db, organizationId),
    selectProductNames(platform.db, organizationId),
  ]);
  return tenants.map((tenant) => ({
    ...tenant,
    products: products.filter(({ tenantId }) => tenantId === tenant.id).map(({ name }) => name),
  }));
}

export type ListedTenant = Awaited<ReturnType<typeof listTenants>>[number];
