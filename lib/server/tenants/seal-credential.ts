/** The credential that a tenant's core requires, encrypted for that tenant only. */
import type { Member } from "@/lib/domain/actor";
import type { Db } from "../database/connect";
import { openSetting, sealSetting, type SettingPlace } from "../keys/data-key";
import type { Platform } from "../platform/platform";
import type { StoredCredential } from "./queries";

/** The prefix `tenant:` keeps it distinct from every installation's settings. */
function credentialPlace(organizationId: string, tenantId: string): SettingPlace {
  return { organizationId, installationId: `tenant:${tenantId}`, name: "credential" };
}

export async function sealCredential(
  platform: Platform,
  tx: Db,
  member: Member,
  tenantId: string,
  value: string,
): Promise<StoredCredential> {
  const sealed = await sealSetting(platform, tx, credentialPlace(member.organization.id, tenantId), value);
  return { sealed, updatedAt: new Date().toISOString(), by: member.name };
}

/** Undefined if there is none. Throws if it was sealed for another tenant or with a key that no longer exists. */
export async function openCredential(
  platform: Platform,
  organizationId: string,
  { id, credential }: { id: string; credential: StoredCredential | null },
): Promise<string | undefined> {
  if (credential === null) return undefined;
  return openSetting(platform, platform.db, credentialPlace(organizationId, id), credential.sealed);
}
