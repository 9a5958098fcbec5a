import { createHash, randomBytes } from "node:crypto";
import type { Member } from "@/lib/domain/actor";
import { recordAudit } from "../audit/record-audit";
import type { Platform } from "../platform/platform";
import { insertApiKey } from "./queries";

export interface NewApiKey {
  apiKeyId: string;
  name: string;
  clientId: string;
  /** Shown this once: only its hash is kept. */
  apiKey: string;
}

/** A key with which `platform-app` publishes for the member's organization. */
export async function createApiKey(platform: Platform, member: Member, name: string): Promise<NewApiKey> {
  const organizationId = member.organization.id;
  const clientId = `pci_${randomBytes(12).toString("base64url")}`;
  const apiKey = `pak_${randomBytes(32).toString("base64url")}`;
  const keyHash = createHash("sha256").update(apiKey).digest("hex");
  return platform.db.transaction(async (tx) => {
    const apiKeyId = await insertApiKey(tx, {
      organizationId,
      name,
      clientId,
      keyHash,
      createdBy: member.userId,
    });
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "api-key.create",
      subject: `api-key:${apiKeyId}`,
      details: { name, clientId },
    });
    return { apiKeyId, name, clientId, apiKey };
  });
}
