import type { TenantView } from "@/lib/contract/tenant-view";
import type { Member } from "@/lib/domain/actor";
import { addHealth } from "../health/read-health";
import { selectCredentials } from "../identity/core-credential-queries";
import type { Platform } from "../platform/platform";
import { selectProducts, selectTenantInstallations } from "./queries";
import { findTenant } from "./tenant-rules";

/** A tenant with its products and installations, without its secrets. Throws NOT_FOUND. */
export async function readTenant(platform: Platform, member: Member, id: string): Promise<TenantView> {
  const { credential, createdAt, ...tenant } = await findTenant(platform, member, id);
  const [products, coreCredentials, installations] = await Promise.all([
    selectProducts(platform.db, [id]),
    selectCredentials(platform.db, id),
    selectTenantInstallations(platform.db, member.organization.id, id).then((rows) =>
      addHealth(platform.db, rows),
    ),
  ]);
  return {
    ...tenant,
    connectedAt: createdAt.toISOString(),
    credential:
      credential === null
        ? { configured: false }
        : { configured: true, updatedAt: credential.updatedAt, by: credential.by },
    coreCredentials: coreCredentials.map((each) => ({
      id: each.id,
      createdAt: each.createdAt.toISOString(),
      expiresAt: each.expiresAt?.toISOString() ?? null,
      lastUsedAt: each.lastUsedAt?.toISOString() ?? null,
    })),
    products: products.map(({ name, refreshedAt, changedAt, schema, sample }) => ({
      name,
      refreshedAt: refreshedAt.toISOString(),
      changedAt: changedAt.toISOString(),
      schema,
      sample,
    })),
    installations: installations.map(({ versionId: _versionId, ...installation }) => installation),
  };
}
