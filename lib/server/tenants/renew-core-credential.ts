import { createHash, randomBytes } from "node:crypto";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import type { Platform } from "../platform/platform";
import { updateTenant } from "./queries";
import { auditTenant, findTenant } from "./tenant-rules";

/** A new credential for the tenant's core, shown once. The old one stops working at once. */
export async function renewCoreCredential(
  platform: Platform,
  member: Member,
  tenantId: string,
): Promise<{ coreCredential: string }> {
  const tenant = await findTenant(platform, member, tenantId);
  if (tenant.sandbox)
    throw new Problem(
      "WRONG_STATE",
      "The sandbox has no credential to renew because the platform manages it.",
    );
  const { coreCredential, coreCredentialHash } = createCoreCredential();
  await platform.db.transaction(async (tx) => {
    if (!(await updateTenant(tx, member.organization.id, tenantId, { coreCredentialHash })))
      throw new Problem("NOT_FOUND");
    await auditTenant(platform, tx, member, { action: "renew-core-credential", tenantId });
  });
  return { coreCredential };
}

export function createCoreCredential(): { coreCredential: string; coreCredentialHash: string } {
  const coreCredential = `pcc_${randomBytes(32).toString("base64url")}`;
  return { coreCredential, coreCredentialHash: createHash("sha256").update(coreCredential).digest("hex") };
}
