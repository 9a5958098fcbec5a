import { createHash, randomBytes } from "node:crypto";
import { type Overlap, overlapSeconds } from "@/lib/contract/accounts/api-key";
import { Problem } from "@/lib/contract/platform/problem";
import type { Member } from "@/lib/domain/platform/actor";
import {
  deleteCredential,
  expireCredentials,
  insertCredential,
} from "../../accounts/credentials/core-credential-queries";
import { openSetting, sealSetting, type SettingPlace } from "../../platform/data-key";
import type { Db } from "../../platform/database/connect";
import type { Platform } from "../../platform/platform";
import type { StoredCredential } from "./queries";
import { auditTenant, findTenant } from "./tenant-rules";

/** How many of a tenant's credentials can work at once. */
const MAX_CREDENTIALS = 5;

/**
 * A new credential for the tenant's core, shown once. The earlier ones work until their overlap ends. Throws NOT_FOUND, or
 * WRONG_STATE for a sandbox and while too many credentials work.
 */
export async function rotateCoreCredential(
  platform: Platform,
  member: Member,
  tenantId: string,
  overlap: Overlap,
): Promise<{ coreCredential: string }> {
  await findEditable(platform, member, tenantId);
  const { coreCredential, coreCredentialHash } = createCoreCredential();
  await platform.db.transaction(async (tx) => {
    const left = await expireCredentials(tx, tenantId, overlapSeconds(overlap));
    if (left >= MAX_CREDENTIALS)
      throw new Problem(
        "WRONG_STATE",
        `${left} credentials of this tenant still work. Revoke one that the core no longer uses, then rotate again.`,
      );
    const credentialId = await insertCredential(tx, tenantId, coreCredentialHash);
    const details = { credentialId, overlap };
    await auditTenant(platform, tx, member, { action: "tenant.rotate-core-credential", tenantId, details });
  });
  return { coreCredential };
}

/** The credential stops working at once. Throws NOT_FOUND, or WRONG_STATE for a sandbox. */
export async function revokeCoreCredential(
  platform: Platform,
  member: Member,
  tenantId: string,
  credentialId: string,
): Promise<void> {
  await findEditable(platform, member, tenantId);
  await platform.db.transaction(async (tx) => {
    if (!(await deleteCredential(tx, tenantId, credentialId)))
      throw new Problem("NOT_FOUND", "This credential no longer exists. Reload the page.");
    const details = { credentialId };
    await auditTenant(platform, tx, member, { action: "tenant.revoke-core-credential", tenantId, details });
  });
}

async function findEditable(platform: Platform, member: Member, tenantId: string): Promise<void> {
  const { sandbox } = await findTenant(platform, member, tenantId);
  if (sandbox)
    throw new Problem("WRONG_STATE", "The platform manages the sandbox's credential. It can't be changed.");
}

export function createCoreCredential(): { coreCredential: string; coreCredentialHash: string } {
  const coreCredential = `pcc_${randomBytes(32).toString("base64url")}`;
  return { coreCredential, coreCredentialHash: createHash("sha256").update(coreCredential).digest("hex") };
}

// The credential that a tenant's core requires, encrypted for that tenant only.

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
