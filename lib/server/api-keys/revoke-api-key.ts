import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { recordAudit } from "../audit/record-audit";
import type { Platform } from "../platform/platform";
import { revokeApiKeyRow } from "./queries";

/** Ends a key at once. Foreign, absent and revoked before: NOT_FOUND. */
export async function revokeApiKey(platform: Platform, member: Member, apiKeyId: string): Promise<void> {
  const organizationId = member.organization.id;
  await platform.db.transaction(async (tx) => {
    if (!(await revokeApiKeyRow(tx, organizationId, apiKeyId))) {
      throw new Problem("NOT_FOUND", "There is no such live API Key in your organization. Reload the list.");
    }
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "api-key.revoke",
      subject: `api-key:${apiKeyId}`,
    });
  });
}
