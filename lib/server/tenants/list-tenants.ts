import { pathsOf, type SchemaPath } from "@/lib/domain/mapping";
import type { Member } from "@/lib/domain/actor";
import type { Platform } from "../platform";
import { selectProducts, selectTenants } from "./queries";

export interface TenantProduct {
  name: string;
  refreshedAt: Date;
  /** The places of its data that a mapping can name. */
  paths: SchemaPath[];
}

/** The member's tenants by name, each with its products in the order of the state record. */
export async function listTenants(platform: Platform, member: Member) {
  const tenants = await selectTenants(platform.db, member.organization.id);
  const products = await selectProducts(
    platform.db,
    tenants.map((tenant) => tenant.id),
  );
  return tenants.map((tenant) => ({
    ...tenant,
    products: products
      .filter((product) => product.tenantId === tenant.id)
      .map(({ name, refreshedAt, schema }): TenantProduct => ({ name, refreshedAt, paths: pathsOf(schema) })),
  }));
}

export type ListedTenant = Awaited<ReturnType<typeof listTenants>>[number];
