/** The credential that a tenant's core asks for, sealed for that tenant alone. */
import type { Member } from "@/lib/domain/actor";
import type { Db } from "../database/connect";
import { openSetting, sealSetting, type SettingPlace } from "../keys/data-key";
import type { Platform } from "../platform/platform";
import type { StoredCredential } from "./queries";

/** `tenant:` keeps the place apart from every installation's. */
function placeOf(organizationId: string, tenantId: string): SettingPlace {
  return { organizationId, installationId: `tenant:${tenantId}`, name: "credential" };
}

export async function sealCredential(
  platform: Platform,
  tx: Db,
  member: Member,
  tenantId: string,
  value: string,
): Promise<StoredCredential> {
  const sealed = await sealSetting(platform, tx, placeOf(member.organization.id, tenantId), value);
  return { sealed, updatedAt: new Date().toISOString(), by: member.name };
}

/** Undefined when there is none. Throws when it was sealed for another tenant, or with a key that is gone. */
export async function openCredential(
  platform: Platform,
  organizationId: string,
  tenant: { id: string; credential: StoredCredential | null },
): Promise<string | undefined> {
  if (tenant.credential === null) return undefined;
  return openSetting(platform, platform.db, placeOf(organizationId, tenant.id), tenant.credential.sealed);
}
