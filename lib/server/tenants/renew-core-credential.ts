import { isId } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { recordAudit } from "../audit/record-audit";
import type { Platform } from "../platform/platform";
import { newCoreCredential } from "./new-core-credential";
import { selectTenant, updateTenant } from "./queries";

/** A new credential for the tenant's core, shown this once; the old one ends at once. */
export async function renewCoreCredential(
  platform: Platform,
  member: Member,
  tenantId: string,
): Promise<{ coreCredential: string }> {
  const organizationId = member.organization.id;
  const tenant = isId(tenantId) ? await selectTenant(platform.db, organizationId, tenantId) : undefined;
  if (tenant === undefined) throw new Problem("NOT_FOUND");
  if (tenant.sandbox)
    throw new Problem("WRONG_STATE", "The sandbox's core belongs to the platform and signs in by itself.");
  const { coreCredential, coreCredentialHash } = newCoreCredential();
  await platform.db.transaction(async (tx) => {
    await updateTenant(tx, organizationId, tenantId, { coreCredentialHash });
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "tenant.renew-core-credential",
      subject: `tenant:${tenantId}`,
    });
  });
  return { coreCredential };
}
